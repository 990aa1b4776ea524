/// The values of an export are the engine's own words too.
@_exported public import TakeupModel
