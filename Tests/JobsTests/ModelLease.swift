/// A lease as the model numbers it.
struct ModelLease: Equatable {
    var job: Int
    var token: Int64
    var worker: Int
}
