@_exported public import TakeupCache
@_exported public import TakeupExport
@_exported public import TakeupFetch
@_exported public import TakeupJobs
@_exported public import TakeupMediaClient
@_exported public import TakeupModel
@_exported public import TakeupTimeline
@_exported public import TakeupWorker
