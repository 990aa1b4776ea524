package import TakeupCache
package import TakeupModel

/// Copies the results of a database to another store, which the database may then adopt.
///
/// The target gets an owner's mark of its own: as long as the database knows the source, the target is refused, and
/// once it has adopted the target, the source is. So nobody works on both.
package struct CacheCopy: Sendable {
    private let places: StatePlaces
    private let source: ObjectsAddress
    private let target: ObjectsAddress

    /// Names the places; opens nothing.
    package init(_ places: StatePlaces, from source: ObjectsAddress, to target: ObjectsAddress) {
        (self.places, self.source, self.target) = (places, source, target)
    }

    /// Copies what the manifest names; the database and the source stay as they are.
    ///
    /// - Parameters:
    ///   - isStopped: Asked before each file.
    ///   - onObject: Told after each file how far it is.
    /// - Returns: What was done.
    /// - Throws: `Failure`: with 64 for one place, with 66 without a database, with 78 for a source that is not the database's
    ///   and for a target that holds something else.
    package func perform(
        isStopped: @escaping @Sendable () -> Bool,
        onObject: @escaping @Sendable (ObjectCopy.Tally) -> Void
    ) throws(Failure) -> ObjectCopy.Tally {
        guard source != target else {
            throw Failure(
                exitCode: .usage, code: "usage", stage: "request",
                message: "results cannot be copied from a place to itself",
                hint: "name two places")
        }
        guard try places.hasQueue(), let manifest = places.existingManifest() else {
            throw Failure(
                exitCode: .inputMissing, code: "notFound", stage: "request",
                message: "there is no manifest in \(places.database.name)",
                hint: "name the database that the results belong to")
        }
        do throws(CacheError) {
            return try ObjectCopy(
                manifest, from: try places.openObjects(source, manifest, asTarget: false),
                to: try places.openObjects(target, manifest, asTarget: true)
            ).perform(isStopped: isStopped, onObject: onObject)
        } catch {
            throw Failure(error)
        }
    }
}
