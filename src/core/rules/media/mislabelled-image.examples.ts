import type { Examples } from '../example.ts'
import { image, jpeg, png, request, text } from '../example-media.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'the true type',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(jpeg(10, 10), 'image/jpeg'), text('What is this?')),
    },
    {
      name: 'data of an unknown type',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image('AAAA'), text('What is this?')),
    },
  ],
  invalid: [
    {
      name: 'a JPEG called PNG',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(jpeg(10, 10)), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(image(jpeg(10, 10), 'image/jpeg'), text('What is this?')),
    },
    {
      name: 'a type that is almost right',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(jpeg(20, 20), 'image/jpg'), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(image(jpeg(20, 20), 'image/jpeg'), text('What is this?')),
    },
    {
      name: 'a PDF called PNG',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(btoa('%PDF-1.7 one page')), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(
        { ...image(btoa('%PDF-1.7 one page'), 'application/pdf'), type: 'document' },
        text('What is this?'),
      ),
    },
    {
      name: 'a PNG in the format of another provider',
      format: 'openai-chat',
      dialect: 'anthropic',
      request: true,
      messages: {
        model: 'claude-opus-4-8',
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: `data:image/webp;base64,${png(10, 10)}` } }],
          },
        ],
      },
      finds: ['messages[0].content[0]'],
      after: {
        model: 'claude-opus-4-8',
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${png(10, 10)}` } }],
          },
        ],
      },
    },
  ],
}
