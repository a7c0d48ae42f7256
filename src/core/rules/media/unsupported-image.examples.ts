import type { Examples } from '../example.ts'
import { bmp, image, jpeg, request, text } from '../example-media.ts'

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'

export const examples: Examples = {
  valid: [
    {
      name: 'a type that the provider accepts',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(jpeg(30, 30), 'image/jpeg'), text('What is this?')),
    },
    {
      name: 'a provider that accepts more types',
      format: 'openai-chat',
      dialect: 'openai',
      request: true,
      messages: {
        model: 'qwen2.5-vl',
        messages: [
          { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/bmp;base64,${bmp}` } }] },
        ],
      },
    },
  ],
  invalid: [
    {
      name: 'a BMP',
      format: 'gemini',
      dialect: 'gemini',
      request: true,
      messages: {
        contents: [
          { role: 'user', parts: [{ inlineData: { mimeType: 'image/bmp', data: bmp } }, { text: 'What is this?' }] },
        ],
      },
      finds: ['contents[0].parts[0]'],
      after: {
        contents: [
          {
            role: 'user',
            parts: [{ text: '[image removed: image/bmp, 16843009x16843009 px, 54 bytes]' }, { text: 'What is this?' }],
          },
        ],
      },
    },
    {
      name: 'an SVG, whose source is text',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(image(btoa(drawing), 'image/svg+xml'), text('What is this?')),
      finds: ['messages[0].content[0]'],
      after: request(text(`[image/svg+xml, quoted]\n> ${drawing}`), text('What is this?')),
    },
  ],
}
