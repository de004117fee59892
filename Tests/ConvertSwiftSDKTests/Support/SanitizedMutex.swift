#if CONVERT_THREAD_SANITIZER && canImport(Glibc)
    @testable import ConvertSwiftSDK

    /// The test doubles' locks, seen by the sanitizer as well.
    typealias Mutex = ConvertSwiftSDK.Mutex
#endif
