internal import Foundation
package import TakeupFetch
internal import TakeupModel
package import TakeupS3

/// Reads objects of buckets as sources: the loader gets an address that is signed for some time.
package enum ObjectSources {
    /// Seconds for which an address is valid; the loader asks for another one then.
    private static let addressSeconds = 43_200

    /// Lets a loader read objects.
    ///
    /// - Parameters:
    ///   - settings: The loader's.
    ///   - environment: Leads to the store and its keys, which are asked for when an object is read.
    package static func permit(in settings: inout FetchSettings, _ environment: S3Environment) {
        settings.objects = { text throws(FetchError) in
            guard let object = S3Address(text), !object.key.isEmpty else {
                throw .denied("it names no object", address: text)
            }
            do {
                let now = Int64(Date().timeIntervalSince1970)
                let settings = try environment.read()
                return ObjectAddress(
                    try S3Client(settings).presign(object, now: now, seconds: addressSeconds),
                    authorities: settings.authorities)
            } catch let failure as Failure {
                throw .denied(failure.message, address: text)
            } catch {
                throw .denied("\(error)", address: text)
            }
        }
    }
}
