@_exported public import TakeupExport
@_exported public import TakeupTimeline
