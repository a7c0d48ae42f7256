/** What would harm a page that took content for anything but text. */
export const hostileWords = [
  '<script>window.harmed = 1</script>',
  '<img src="http://127.0.0.1:9/pixel.png" onerror="window.harmed = 2">',
  '</script><svg onload="window.harmed = 3">',
  '<a href="javascript:window.harmed=4">click</a> javascript:window.harmed=4 https://example.com/',
  '[link](javascript:window.harmed=5) ![image](http://127.0.0.1:9/mark.png)',
  '<style>body{display:none}</style><base href="http://127.0.0.1:9/">',
  '\u202eevil\u202c \u2066isolate\u2069 \u0000\u0007\u001b[31mred\u001b[0m \ufeff\u200b',
  '\ud800 half a pair',
  'W'.repeat(200_000),
]

const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="window.harmed=6"><script>window.harmed=7</script></svg>`

const base64 = (media_type: string, data: string): object => ({ type: 'base64', media_type, data })

/** A red pixel as PNG. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A broken history of Anthropic's whose every word is hostile, with images of every kind. */
export const hostileHistory: readonly object[] = [
  { role: 'user', content: hostileWords[0] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: hostileWords[1] },
      { type: 'tool_use', id: '<b>id</b>', name: '<i>tool</i>', input: { [hostileWords[0]]: hostileWords[3] } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: '<b>id</b>',
        content: [
          ...hostileWords.map(text => ({ type: 'text', text })),
          { type: 'image', source: { type: 'url', url: 'http://127.0.0.1:9/picture.png' } },
          { type: 'image', source: base64('image/svg+xml', Buffer.from(svg).toString('base64')) },
          { type: 'image', source: base64('text/html', Buffer.from(hostileWords[0]).toString('base64')) },
          { type: 'image', source: base64('image/png', pixel) },
        ],
      },
    ],
  },
  { role: 'assistant', content: [{ type: 'tool_use', id: hostileWords[2], name: 'open_end', input: {} }] },
  { role: 'user', content: hostileWords[5] },
]
