#if os(Linux)
import CConvertCurl

/// Why libcurl ended a transfer early.
struct CurlFailure {
    private let code: Int32

    /// Creates the failure for `code`; `nil` if the code means success.
    init?(_ code: Int32) {
        guard code != CONVERT_CURLE_OK else { return nil }
        self.code = code
    }

    /// libcurl's error number.
    var number: Int { Int(code) }

    /// The error code, given the response's head if it had arrived.
    func meaning(head: ResponseHead?) -> TransportError.Code {
        switch code {
        case CONVERT_CURLE_URL_MALFORMAT: .invalidRequest
        case CONVERT_CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
        case CONVERT_CURLE_COULDNT_CONNECT, CONVERT_CURLE_COULDNT_RESOLVE_PROXY, CONVERT_CURLE_PROXY,
            CONVERT_CURLE_INTERFACE_FAILED:
            .cannotConnect
        case CONVERT_CURLE_OPERATION_TIMEDOUT: .timedOut
        case CONVERT_CURLE_GOT_NOTHING, CONVERT_CURLE_PARTIAL_FILE, CONVERT_CURLE_SEND_ERROR,
            CONVERT_CURLE_RECV_ERROR, CONVERT_CURLE_HTTP2, CONVERT_CURLE_HTTP2_STREAM:
            .interrupted
        // The request's URL was checked before, so it is the response's protocol that is unsupported.
        case CONVERT_CURLE_UNSUPPORTED_PROTOCOL, CONVERT_CURLE_WEIRD_SERVER_REPLY,
            CONVERT_CURLE_BAD_CONTENT_ENCODING:
            .malformedResponse
        // This module's own reasons for ending a transfer were recorded before. Otherwise libcurl could not decompress
        // the body, because data follows the end of the stream.
        case CONVERT_CURLE_WRITE_ERROR: .malformedResponse
        // Some versions return these for a header line without a colon, and for a header line that is too long; newer
        // versions have a separate code for the latter.
        case CONVERT_CURLE_BAD_FUNCTION_ARGUMENT, CONVERT_CURLE_TOO_LARGE: .malformedResponse
        case CONVERT_CURLE_OUT_OF_MEMORY where head == nil: .malformedResponse
        case CONVERT_CURLE_SSL_CONNECT_ERROR, CONVERT_CURLE_PEER_FAILED_VERIFICATION,
            CONVERT_CURLE_SSL_CERTPROBLEM, CONVERT_CURLE_SSL_CIPHER, CONVERT_CURLE_SSL_CACERT_BADFILE,
            CONVERT_CURLE_SSL_CRL_BADFILE, CONVERT_CURLE_SSL_ISSUER_ERROR, CONVERT_CURLE_SSL_INVALIDCERTSTATUS,
            CONVERT_CURLE_SSL_CLIENTCERT:
            .insecureConnection
        default: .other
        }
    }
}
#endif
