export type { ProxyOptions, ProxyReport } from './proxy-options.ts'
export { type RunningProxy, startProxy } from './start-proxy.ts'
export type { Trouble, TroubleKind } from './trouble.ts'
