/// Finds what belongs together among the names in one folder.
public enum FileSets {
    private static let discs: Set<String> = ["bdmv", "video_ts"]
    /// What lies beside a disc's own folder and is a part of it.
    private static let discBesides: Set<String> = ["certificate", "audio_ts"]
    private static let video: Set<String> = [
        "3gp", "asf", "avi", "dv", "f4v", "flv", "gxf", "m2t", "m2ts", "m2v", "m4v", "mkv", "mov",
        "mp4", "mpeg", "mpg", "mts", "mxf", "nut", "ogv", "qt", "ts", "vob", "webm", "wmv", "y4m",
    ]
    private static let sound: Set<String> = [
        "aac", "ac3", "aif", "aiff", "caf", "dts", "eac3", "flac", "m4a", "mka", "mp2", "mp3",
        "ogg", "opus", "w64", "wav",
    ]
    private static let subtitles: Set<String> = [
        "ass", "dfxp", "idx", "scc", "srt", "ssa", "stl", "sub", "sup", "ttml", "vtt",
    ]
    /// What stands between a film's name and a side-car's suffix, as in `clip.en.forced.srt`.
    private static let mostTags = 3
    private static let mostTagBytes = 12

    /// Groups the names of one folder; each name is in one set.
    ///
    /// A disc's folder takes the folders of the disc with it, and no files. Subtitles of nothing are sets
    /// of their own. Where two films share a stem, their side-cars go with the first by its bytes.
    ///
    /// - Parameters:
    ///   - files: Last names of files.
    ///   - folders: Last names of folders; those that are no disc's are in no set.
    /// - Returns: Sets, sorted by the bytes of their principals.
    public static func sets(files: [String], folders: [String] = []) -> [FileSet] {
        var sets = discSets(folders)
        let names = Set(files).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let (sequences, others) = sequenceSets(names)
        sets += sequences + sideCarSets(others)
        return sets.sorted { $0.principal.utf8.lexicographicallyPrecedes($1.principal.utf8) }
    }

    private static func discSets(_ folders: [String]) -> [FileSet] {
        let besides = folders.filter { discBesides.contains($0.lowercased()) }
        let found = folders.filter { discs.contains($0.lowercased()) }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return found.enumerated().map { index, name in
            FileSet(.disc, principal: name, members: [name] + (index == 0 ? besides : []))
        }
    }

    private static func sequenceSets(_ names: [String]) -> (sets: [FileSet], others: [String]) {
        var groups: [ImageSequence.Key: [(number: Int64, name: String)]] = [:]
        var others: [String] = []
        for name in names {
            guard let (key, number) = ImageSequence.parse(name) else {
                others.append(name)
                continue
            }
            groups[key, default: []].append((number, name))
        }
        var sets: [FileSet] = []
        for (key, pictures) in groups {
            let members = pictures.map(\.name)
            // Equal digits: names in order of their bytes are in order of their numbers.
            if let sequence = ImageSequence(key, numbers: pictures.map(\.number)) {
                sets.append(
                    FileSet(.sequence(sequence), principal: members[0], members: members))
            } else {
                others += members
            }
        }
        return (sets, others)
    }

    private static func sideCarSets(_ names: [String]) -> [FileSet] {
        let principals = principals(names)
        var members: [String: [String]] = [:]
        for name in names {
            members[owner(of: name, principals) ?? name, default: []].append(name)
        }
        return members.map { principal, names in
            FileSet(
                names.count > 1 ? .withSideCars : .single, principal: principal, members: names)
        }
    }

    /// By its stem, the name that side-cars go with: a film's, else a sound's.
    private static func principals(_ names: [String]) -> [String: String] {
        var principals: [String: String] = [:]
        for suffixes in [video, sound] {
            var found: [String: String] = [:]
            for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                guard let (stem, suffix) = split(name), suffixes.contains(suffix) else { continue }
                if found[stem] == nil { found[stem] = name }
            }
            principals.merge(found) { film, _ in film }
        }
        return principals
    }

    /// The film or sound that a name goes with; nil for one that stands for itself.
    private static func owner(of name: String, _ principals: [String: String]) -> String? {
        guard let (whole, suffix) = split(name) else { return nil }
        let isSound = sound.contains(suffix)
        guard isSound || subtitles.contains(suffix) else { return nil }
        var stem = whole
        for _ in 0...mostTags {
            if let owner = principals[stem], owner != name {
                // Sound goes with films only: two songs of a name are two songs.
                if !isSound || split(owner).map({ video.contains($0.suffix) }) == true {
                    return owner
                }
            }
            guard let (shorter, tag) = split(stem), isTag(tag) else { return nil }
            stem = shorter
        }
        return nil
    }

    /// A language or a word such as `forced`.
    private static func isTag(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= mostTagBytes
            && text.utf8.allSatisfy {
                $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
    }

    /// A name's stem, and its suffix in lower case.
    private static func split(_ name: String) -> (stem: String, suffix: String)? {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        return (String(name[..<dot]), name[name.index(after: dot)...].lowercased())
    }
}
