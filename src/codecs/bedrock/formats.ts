import type { Media } from '../shared/pieces.ts'

/** The member of a block that holds a medium. */
export type Member = 'image' | 'audio' | 'video' | 'document'

export const members: readonly Member[] = ['image', 'audio', 'video', 'document']

export const memberOf = (type: Media['type']): Member => (type === 'file' ? 'document' : type)

export const typeOf = (member: Member): Media['type'] => (member === 'document' ? 'file' : member)

/** The formats of each member with their MIME types; the first of one MIME type is written. */
const formats: Readonly<Record<Member, Readonly<Record<string, string>>>> = {
  image: { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  audio: {
    wav: 'audio/wav',
    mp3: 'audio/mpeg',
    flac: 'audio/flac',
    ogg: 'audio/ogg',
    opus: 'audio/opus',
    aac: 'audio/aac',
    m4a: 'audio/mp4',
    mp4: 'audio/mp4',
    webm: 'audio/webm',
    mpeg: 'audio/mpeg',
  },
  video: {
    mp4: 'video/mp4',
    mov: 'video/quicktime',
    mkv: 'video/x-matroska',
    webm: 'video/webm',
    flv: 'video/x-flv',
    mpeg: 'video/mpeg',
    mpg: 'video/mpeg',
    wmv: 'video/x-ms-wmv',
    three_gp: 'video/3gpp',
  },
  document: {
    pdf: 'application/pdf',
    txt: 'text/plain',
    md: 'text/markdown',
    html: 'text/html',
    csv: 'text/csv',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
}

export const mimeOf = (member: Member, format: string): string | undefined =>
  Object.hasOwn(formats[member], format) ? formats[member][format] : undefined

/** The format of a medium, by its MIME type, or else by the extension of its name or URL. */
export function formatOf(member: Member, { mime, name, url }: Media): string | undefined {
  const known = Object.keys(formats[member])
  if (mime === undefined) return [name, url].map(extension).find(end => known.includes(end)) ?? known[0]
  const [type = ''] = mime.split(';')
  const plain = type.toLowerCase().replace('image/jpg', 'image/jpeg')
  return known.find(format => formats[member][format] === plain)
}

const extension = (path = ''): string => path.slice(path.lastIndexOf('.') + 1).toLowerCase()
