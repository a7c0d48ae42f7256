export type { ImageLimit, LargeImage, ResizedImage } from '../../core/media/resize.ts'
export type { ResizeImage } from '../../heal/request/image-resizer.ts'
export type { FetchReport, HealFetchOptions } from './fetch-options.ts'
export { healFetch } from './heal-fetch.ts'
