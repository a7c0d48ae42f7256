/** Images that are nothing but a header with the dimensions, and an end where readers look for it, in base64. */
const base64 = (bytes: Buffer): string => bytes.toString('base64')

const framed = (head: string, size: number, write: (bytes: Buffer) => void, end = ''): string => {
  const bytes = Buffer.alloc(size + end.length)
  bytes.write(head, 'latin1')
  bytes.write(end, size, 'latin1')
  write(bytes)
  return base64(bytes)
}

export const png = (width: number, height: number): string =>
  framed(
    '\x89PNG\r\n\x1a\n\0\0\0\rIHDR',
    33,
    bytes => {
      bytes.writeUInt32BE(width, 16)
      bytes.writeUInt32BE(height, 20)
    },
    '\0\0\0\0IEND\xaeB`\x82',
  )

export const gif = (width: number, height: number): string =>
  framed('GIF89a', 13, bytes => {
    bytes.writeUInt16LE(width, 6)
    bytes.writeUInt16LE(height, 8)
  })

export const bmp = (width: number, height: number): string =>
  framed('BM', 54, bytes => {
    bytes.writeUInt32LE(40, 14)
    bytes.writeInt32LE(width, 18)
    bytes.writeInt32LE(-height, 22)
  })

/** With a preview before the frame that has the size. */
export const jpeg = (width: number, height: number): string =>
  framed('\xff\xd8\xff\xe1\x01\x00', 300, bytes => {
    bytes.write('\xff\xff\xc2\0\x11\x08', 260, 'latin1')
    bytes.writeUInt16BE(height, 266)
    bytes.writeUInt16BE(width, 268)
  })

export const webp = {
  lossy: (width: number, height: number): string =>
    framed('RIFF\0\0\0\0WEBPVP8 ', 40, bytes => {
      bytes.writeUInt16LE(width, 26)
      bytes.writeUInt16LE(height, 28)
    }),
  lossless: (width: number, height: number): string =>
    framed('RIFF\0\0\0\0WEBPVP8L', 40, bytes => bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)),
  extended: (width: number, height: number): string =>
    framed('RIFF\0\0\0\0WEBPVP8X', 40, bytes => {
      bytes.writeUIntLE(width - 1, 24, 3)
      bytes.writeUIntLE(height - 1, 27, 3)
    }),
}
