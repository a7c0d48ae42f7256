import type { Examples } from '../example.ts'
import { image, png, request, text } from '../example-media.ts'

const errorPage = '<!doctype html><title>404 Not Found</title>.'

export const examples: Examples = {
  valid: [
    {
      name: 'an image',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(png(10, 10)), text('What is this?')),
    },
    {
      name: 'bytes of an unknown type',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image('AAAAAAAAAAAAAAAAAAAAAAAA'), text('What is this?')),
    },
  ],
  invalid: [
    {
      name: 'a screenshot that failed',
      format: 'gemini',
      dialect: 'gemini',
      request: true,
      messages: {
        contents: [
          { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: '' } }, { text: 'What is this?' }] },
        ],
      },
      finds: ['contents[0].parts[0]'],
      after: {
        contents: [{ role: 'user', parts: [{ text: '[image removed: image/png]' }, { text: 'What is this?' }] }],
      },
    },
    {
      name: 'an error page',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(btoa(errorPage)), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(text('[image removed: image/png, 44 bytes]'), text('What is this?')),
    },
    {
      name: 'an image that is cut off',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(png(10, 10).slice(0, 44)), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(text('[image removed: image/png, 10x10 px, 33 bytes]'), text('What is this?')),
    },
  ],
}
