/// Assets without repetition: a source that comes several times is inspected and opened once.
struct DistinctAssets {
    private(set) var all: [Asset] = []
    /// Which of all each given asset is.
    private(set) var places: [Int] = []

    init(_ assets: [Asset]) {
        var known: [ObjectIdentifier: Int] = [:]
        for asset in assets {
            let place = known[ObjectIdentifier(asset)] ?? all.count
            if place == all.count { all.append(asset) }
            known[ObjectIdentifier(asset)] = place
            places.append(place)
        }
    }

    /// Returns an asset for each path, the same one for equal paths.
    static func assets(at paths: [String]) -> [Asset] {
        var known: [String: Asset] = [:]
        return paths.map { path in
            let asset = known[path] ?? Asset(path: path)
            known[path] = asset
            return asset
        }
    }
}
