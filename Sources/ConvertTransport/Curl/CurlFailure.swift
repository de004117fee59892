#if os(Linux)
import CConvertCurl

/// Why libcurl ended a transfer before it was done.
struct CurlFailure {
    private let code: Int32

    /// The failure that `code` stands for; `nil` if it stands for none.
    init?(_ code: Int32) {
        guard code != CONVERT_CURLE_OK else { return nil }
        self.code = code
    }

    /// libcurl's number for it.
    var number: Int { Int(code) }

    /// What it means once `head` had arrived.
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
        // The request's URL was checked; what is unsupported is the answer's protocol.
        case CONVERT_CURLE_UNSUPPORTED_PROTOCOL, CONVERT_CURLE_WEIRD_SERVER_REPLY,
            CONVERT_CURLE_BAD_CONTENT_ENCODING:
            .malformedResponse
        // What is refused here was said before; else libcurl could not decompress the body: more follows the stream's end.
        case CONVERT_CURLE_WRITE_ERROR: .malformedResponse
        // What some versions say of a header line without a colon, and of one that is too long, for which newer ones
        // have a number of its own.
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
