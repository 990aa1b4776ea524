/// Why a scan does not look at what a name stands for.
public enum PassedOver: String, Sendable, CaseIterable {
    case link, pipe, socket, device, notUTF8, tooDeep, circle

    /// For people.
    public var reason: String {
        switch self {
        case .link: "a symbolic link"
        case .pipe: "a named pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .notUTF8: "its name is not encoded in UTF-8"
        case .tooDeep: "it lies more than \(TreeScan.deepest) folders deep"
        case .circle: "it is a folder that it lies in"
        }
    }
}
