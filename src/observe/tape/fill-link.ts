import type { Filler } from './filler.ts'

/** Whether a field holds an address or a cipher, which a reader refuses if it does not begin like one. */
export const isLink = (key: string): boolean => links.has(key)

const links = new Set([
  ...['url', 'uri', 'image_url', 'imageUrl', 'file_url', 'file_data', 'fileUri', 'file_uri', 'server_url', 'fileData'],
  'encrypted_content',
])

/** An address or a cipher that begins as it did, and leads nowhere. */
export const fillLink = (link: string, filler: Filler): string => filler.text(link, beginning.exec(link)?.[0])

const beginning = /^(?:data:[\w/+.-]{0,100}(?:;base64)?,|https?:\/\/|gs:\/\/|s3:\/\/|gAAAA)/
