extension AddressPolicy.Denial: CustomStringConvertible {
    /// The reason as the end of a sentence, for messages.
    public var description: String {
        switch self {
        case .scheme(let scheme): "\(scheme) is not permitted"
        case .port(let port): "port \(port) is not permitted"
        case .network(let address, let network): "\(address) is in \(network), which is not public"
        case .notPublic(let address): "\(address) is not public"
        }
    }
}
