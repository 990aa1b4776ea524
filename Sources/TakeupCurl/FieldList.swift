internal import CTakeupCurl

/// A list of text lines for libcurl, freed when the value goes out of scope.
struct FieldList: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<curl_slist>?

    deinit { takeup_list_free(raw) }

    mutating func append(_ line: String) throws(CurlError) {
        guard let longer = takeup_list_append(raw, line) else {
            throw CurlError(
                .configure, .other, code: Int32(CURLE_OUT_OF_MEMORY.rawValue), subject: "fields")
        }
        raw = longer
    }

    /// Creates the header lines of a request.
    ///
    /// - Throws: `.refused(.field)` with the name of the field that cannot be sent.
    static func fields(of request: TransferRequest) throws(CurlError) -> FieldList {
        var list = FieldList()
        let isTyped = request.fields.contains { $0.name.lowercased() == "content-type" }
        if request.signing != nil {
            // libcurl 7.88 signs also the fields that a line without a value takes away, and no server accepts that.
            // And proxies in front of object stores change `Accept-Encoding`.
            if request.posted != nil, !isTyped {
                try list.append("Content-Type: application/octet-stream")
            }
        } else {
            try list.append("Accept-Encoding: identity")
            if request.posted != nil || request.upload != nil {
                // Disable both the wait for permission to send the body and libcurl's guess of the
                // body's type.
                try list.append("Expect:")
                if !isTyped { try list.append("Content-Type:") }
            }
        }
        for field in request.fields {
            guard field.isSendable else {
                throw CurlError(.configure, .refused(.field), subject: "a field of the request")
            }
            let isEmpty = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
            // A semicolon is libcurl's notation for a field without a value.
            try list.append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        return list
    }

    /// Creates entries for libcurl's DNS cache from the addresses that a request supplies.
    static func addresses(of request: TransferRequest) throws(CurlError) -> FieldList {
        var list = FieldList()
        guard !request.addresses.isEmpty else { return list }
        let addresses = request.addresses.map(\.description).joined(separator: ",")
        try list.append("\(request.address.host):\(request.address.port):\(addresses)")
        return list
    }
}
