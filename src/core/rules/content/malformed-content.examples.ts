import type { Examples } from '../example.ts'
import { chat, ollama } from '../example-messages.ts'

const text = (words: string) => ({ type: 'text', text: words })
const image = (url: string) => ({ type: 'image_url', image_url: { url } })

export const examples: Examples = {
  valid: [
    {
      name: 'a string, with an image in its own list',
      format: 'ollama',
      dialect: 'ollama',
      messages: [{ ...ollama.user('Which flight is this?'), images: ['iVBORw0KGgo='] }],
    },
    {
      name: 'a format that allows blocks',
      format: 'openai-chat',
      dialect: 'ollama',
      messages: [chat.user([text('Find me a flight to Lisbon.')])],
    },
  ],
  invalid: [
    {
      name: 'blocks of another format',
      format: 'ollama',
      dialect: 'ollama',
      messages: [
        ollama.user([text('Which flight is this?'), image('data:image/png;base64,iVBORw0KGgo=')]),
        ollama.assistant([text('TP 1351.'), text('It is 89 EUR.')]),
        ollama.user('Book it.'),
      ],
      finds: ['messages[0]', 'messages[1]'],
      after: [
        { ...ollama.user('Which flight is this?'), images: ['iVBORw0KGgo='] },
        ollama.assistant('TP 1351.\n\nIt is 89 EUR.'),
        ollama.user('Book it.'),
      ],
    },
    {
      name: 'an image as a data URL, and one as an address',
      format: 'ollama',
      dialect: 'ollama',
      messages: [
        {
          ...ollama.user('Which flight is this?'),
          images: ['data:image/png;base64,iVBORw0KGgo=', 'https://example.com/a.png'],
        },
      ],
      finds: ['messages[0]'],
      after: [{ ...ollama.user('Which flight is this?\n\nhttps://example.com/a.png'), images: ['iVBORw0KGgo='] }],
    },
  ],
}
