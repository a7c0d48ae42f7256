import type { Examples } from '../example.ts'
import { image, png, request, text } from '../example-media.ts'

const small = image(png(10, 10))
const large = image(png(3000, 10))

export const examples: Examples = {
  valid: [
    {
      name: 'twenty images of any size',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(...Array(19).fill(small), image(png(3000, 10)), text('Compare.')),
    },
    {
      name: 'many images, all small enough',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(...Array(20).fill(small), image(png(2000, 10)), text('Compare.')),
    },
  ],
  invalid: [
    {
      name: 'one large image among twenty-one',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(...Array(20).fill(small), image(png(3000, 10)), text('Compare.')),
      finds: ['messages[0].content[20]'],
      after: request(
        ...Array(20).fill(small),
        text('[image removed: image/png, 3000x10 px, 45 bytes]'),
        text('Compare.'),
      ),
    },
    {
      name: 'large images, and one too many: the oldest',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(...Array(21).fill(large), text('Compare.')),
      finds: ['messages[0].content[0]'],
      after: request(
        text('[image removed: image/png, 3000x10 px, 45 bytes]'),
        ...Array(20).fill(large),
        text('Compare.'),
      ),
    },
  ],
}
