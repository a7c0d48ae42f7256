export type { ProxyError, ProxyErrorKind } from './proxy-error.ts'
export type { ProxyOptions, ProxyReport } from './proxy-options.ts'
export { type RunningProxy, startProxy } from './start-proxy.ts'
