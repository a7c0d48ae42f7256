export type { FetchReport, HealFetchOptions } from './fetch-options.ts'
export { healFetch } from './heal-fetch.ts'
