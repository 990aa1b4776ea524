internal import TakeupFields

/// Parses a master playlist line by line.
struct MasterPlaylistReader {
    let limits: PlaylistLimits
    private var playlist = MasterPlaylist(variants: [], renditions: [])
    /// A variant and its tag; the next line must be the variant's address.
    private var pending: (variant: MasterPlaylist.Variant, tag: PlaylistLine.Tag)?

    init(limits: PlaylistLimits) {
        self.limits = limits
    }

    mutating func read(_ line: PlaylistLine) throws(PlaylistError) {
        switch line {
        case .uri(let uri, let number):
            guard var (variant, _) = pending else {
                throw .malformed(line: number, "an address without EXT-X-STREAM-INF")
            }
            variant.uri = uri
            playlist.variants.append(variant)
            pending = nil
        case .tag(let tag):
            try PlaylistRules.check(tag)
            if tag.name == "EXT-X-STREAM-INF" {
                try requireNothingPending()
                pending = (try variant(tag), tag)
            } else if tag.name == "EXT-X-MEDIA" {
                if let rendition = try rendition(tag) { playlist.renditions.append(rendition) }
            }
        }
        guard playlist.variants.count + playlist.renditions.count <= limits.variants else {
            throw .tooLarge("\(limits.variants) variants")
        }
    }

    func finish() throws(PlaylistError) -> MasterPlaylist {
        try requireNothingPending()
        guard !playlist.variants.isEmpty else { throw .empty }
        return playlist
    }

    private func requireNothingPending() throws(PlaylistError) {
        if let pending { throw pending.tag.fault("no address follows") }
    }

    private func variant(
        _ tag: PlaylistLine.Tag
    ) throws(PlaylistError) -> MasterPlaylist.Variant {
        let attributes = try tag.attributes()
        guard let bandwidth = try attributes.number("BANDWIDTH") else {
            throw tag.fault("no BANDWIDTH")
        }
        let size = try attributes.resolution("RESOLUTION")
        let codecs = try attributes.quoted("CODECS") ?? ""
        return MasterPlaylist.Variant(
            uri: "", bandwidth: bandwidth, width: size?.width, height: size?.height,
            codecs: codecs.split(separator: ",").map { FieldText.trimmed($0) },
            audioGroup: try attributes.quoted("AUDIO"))
    }

    /// - Returns: nil for an unknown kind.
    private func rendition(
        _ tag: PlaylistLine.Tag
    ) throws(PlaylistError) -> MasterPlaylist.Rendition? {
        let attributes = try tag.attributes()
        guard let type = try attributes.word("TYPE") else { throw tag.fault("no TYPE") }
        guard let kind = MasterPlaylist.Kind(rawValue: type) else { return nil }
        return MasterPlaylist.Rendition(
            kind: kind, group: try attributes.requiredQuoted("GROUP-ID"),
            name: try attributes.requiredQuoted("NAME"), uri: try attributes.quoted("URI"),
            language: try attributes.quoted("LANGUAGE"),
            isDefault: try attributes.flag("DEFAULT"),
            isAutomatic: try attributes.flag("AUTOSELECT"))
    }
}
