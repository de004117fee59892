internal import ConvertConcurrency
internal import ConvertTransport
internal import Foundation

extension MobileRulesError {
    /// Creates the error for a load that failed with `error`.
    ///
    /// - Parameter place: the place of the document, without secrets.
    init(loading error: any Error, from place: String) {
        switch error {
        case let error as MobileRulesError: self = error
        case let error as RemoteDocumentError:
            self.init(.badResponse, at: place, "the server answered \(error.status) instead of a document.")
        case let error as DocumentCopy.Damage:
            self.init(.unreachable, at: place, "the cached copy cannot be used: \(error).")
        default:
            self.init(.unreachable, at: place, "the rules cannot be fetched. \(error.forLog)")
        }
    }

    /// The error for a copy that cannot be stored in `file`, because of `error`.
    static func unwritable(_ file: URL, _ error: any Error) -> MobileRulesError {
        if case RegularFile.Failure.system(let number) = error {
            let failure = FileFailure(number, at: file.place, .written)
            return MobileRulesError(.unreachable, at: file.place, "the rules cannot be kept: \(failure).")
        }
        return MobileRulesError(
            .unreachable, at: file.place, "the rules cannot be kept here; the folder must be writable.")
    }
}

extension HTTPRequest {
    /// The request for rules, or for a configuration that names their URL.
    ///
    /// - Throws: `MobileRulesError` if the connection to `url` is not protected against changes on the way.
    static func rules(at url: URL, limit: Int) throws(MobileRulesError) -> HTTPRequest {
        guard url.isPrivate else {
            throw MobileRulesError(
                .unreachable, at: url.withoutSecrets, "rules are fetched by https only; give such a URL.")
        }
        return HTTPRequest(url: url, maximumResponseLength: limit)
    }
}

extension Data {
    /// The contents of a regular file of at most `limit` bytes.
    static func rulesFile(_ file: URL, limit: Int) throws(MobileRulesError) -> Data {
        do {
            return try RegularFile.read(file, limit: limit)
        } catch RegularFile.Failure.tooLong {
            throw MobileRulesError(.tooLarge, at: file.place, "it is longer than \(limit) bytes.")
        } catch RegularFile.Failure.system(let number) {
            throw MobileRulesError(.unreachable, at: file.place, "\(FileFailure(number, at: file.place, .read)).")
        } catch {
            throw MobileRulesError(.unreachable, at: file.place, "it cannot be read or is not a regular file.")
        }
    }
}
