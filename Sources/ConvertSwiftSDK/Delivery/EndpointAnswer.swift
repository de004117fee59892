import ConvertMonitoring

/// What a status of the tracking endpoint means for the events of the request.
enum EndpointAnswer: Sendable, Hashable {
    /// The endpoint took the events.
    case taken
    /// The endpoint refuses something in the request's body. Sent in parts, all other events may be taken.
    case refusedBody
    /// The status does not concern the events: they wait and are sent again.
    case outage(DeliveryOutage.Cause)

    /// What `status` means. A status that the table does not name keeps the events: to send them late costs less than
    /// to lose them.
    init(status: Int) {
        self =
            switch status {
            case 200...299: .taken
            // Bad Request, Content Too Large, Unprocessable Content.
            case 400, 413, 422: .refusedBody
            // Unauthorized, Payment Required, Forbidden.
            case 401, 402, 403: .outage(.credentials)
            // Redirects, which the transport would have followed if it could; Not Found, Method Not Allowed, Gone,
            // URI Too Long, Misdirected Request.
            case 300...399, 404, 405, 410, 414, 421: .outage(.address)
            // Proxy Authentication Required, Too Early, Unavailable For Legal Reasons, Network Authentication Required.
            case 407, 425, 451, 511: .outage(.proxy)
            // Request Timeout, Too Many Requests.
            case 408, 429: .outage(.unavailable)
            // Not Implemented, HTTP Version Not Supported, Not Extended.
            case 400...499, 501, 505, 510: .outage(.request)
            default: .outage(.unavailable)
            }
    }
}
