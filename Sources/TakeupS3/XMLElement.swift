internal import CTakeupXML

/// An element of an XML document: its name without a prefix, its text and its children; attributes are left out.
///
/// Documents with a type declaration or an entity of their own are refused, so nothing is ever expanded or fetched.
struct XMLElement: Equatable {
    /// Most elements of one document: a page of a listing has some 6,000.
    static let mostElements = 100_000
    /// Deepest element.
    static let deepest = 16

    enum Fault: Error, Equatable {
        /// libxml2 is not installed.
        case noLibrary
        /// The bytes are no XML, or more of it than is accepted.
        case invalid
    }

    var name: String
    var text = ""
    var children: [XMLElement] = []

    /// The first child of a name.
    subscript(name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The text of the first child of a name, without space around it; nil if there is none.
    func text(of name: String) -> String? {
        self[name].map { String(Self.trimmed($0.text)) }
    }

    private static func trimmed(_ text: String) -> Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r\n" }
        let tail = text.drop(while: isSpace)
        guard let last = tail.lastIndex(where: { !isSpace($0) }) else { return "" }
        return tail[...last]
    }

    /// Reads a document.
    ///
    /// - Throws: `Fault`.
    static func document(_ bytes: [UInt8]) throws(Fault) -> XMLElement {
        guard takeup_xml_library() != nil else { throw .noLibrary }
        guard !bytes.isEmpty, let count = Int32(exactly: bytes.count) else { throw .invalid }
        let parsed: XMLElement? = bytes.withUnsafeBytes { bytes in
            guard let start = bytes.bindMemory(to: CChar.self).baseAddress,
                let reader = takeup_xml_reader(start, count)
            else { return nil }
            defer { takeup_xml_reader_free(reader) }
            return tree(of: reader)
        }
        guard let parsed else { throw .invalid }
        return parsed
    }

    private static func tree(of reader: UnsafeMutableRawPointer) -> XMLElement? {
        var open: [XMLElement] = []
        var (root, count): (XMLElement?, Int) = (nil, 0)
        var status = takeup_xml_read(reader)
        while status == 1 {
            switch takeup_xml_kind(reader) {
            case takeup_xml_element:
                count += 1
                guard root == nil, count <= mostElements, open.count < deepest,
                    let name = takeup_xml_name(reader)
                else { return nil }
                let element = XMLElement(name: String(cString: name))
                if takeup_xml_is_empty(reader) == 1 {
                    close(element, &open, &root)
                } else {
                    open.append(element)
                }
            case takeup_xml_end_element:
                guard let element = open.popLast() else { return nil }
                close(element, &open, &root)
            case takeup_xml_text, takeup_xml_cdata:
                guard let text = takeup_xml_value(reader), !open.isEmpty else { return nil }
                open[open.count - 1].text += String(cString: text)
            case takeup_xml_document_type, takeup_xml_entity: return nil
            default: break
            }
            status = takeup_xml_read(reader)
        }
        return status == 0 ? root : nil
    }

    private static func close(
        _ element: XMLElement, _ open: inout [XMLElement], _ root: inout XMLElement?
    ) {
        if open.isEmpty {
            root = element
        } else {
            open[open.count - 1].children.append(element)
        }
    }
}
