import CConvertCurl
import ConvertTransport

/// Why libcurl ended a transfer before it was done.
struct CurlFailure {
    private let code: CURLcode

    /// The failure that `code` stands for; `nil` if it stands for none.
    init?(_ code: CURLcode) {
        guard code != CURLE_OK else { return nil }
        self.code = code
    }

    /// libcurl's number for it.
    var number: Int { Int(code.rawValue) }

    /// What it means once `head` had arrived.
    func meaning(head: ResponseHead?) -> TransportError.Code {
        switch code {
        case CURLE_URL_MALFORMAT: .invalidRequest
        case CURLE_COULDNT_RESOLVE_HOST: .hostNotFound
        case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY, CURLE_INTERFACE_FAILED: .cannotConnect
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .interrupted
        // The request's URL was checked; what is unsupported is the answer's protocol.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformedResponse
        // What some versions say of a header line without a colon, and of one that is too long; newer ones have a number
        // of its own (100) for the latter.
        case CURLE_BAD_FUNCTION_ARGUMENT, CURLcode(100): .malformedResponse
        case CURLE_OUT_OF_MEMORY where head == nil: .malformedResponse
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CLIENTCERT:
            .insecureConnection
        default: .other
        }
    }
}
