public struct ExportPreset: Sendable, Equatable { }
