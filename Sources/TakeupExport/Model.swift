/// Re-exports the model: its values are part of this module's API.
@_exported public import TakeupModel
