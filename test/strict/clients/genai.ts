import { ApiError, type Content, GoogleGenAI, type Part } from '@google/genai'
import { type Client, loop, schema } from './client.ts'

export const genai: Client = {
  name: 'google genai',
  isError: (error, status) => error instanceof ApiError && (status === undefined || error.status === status),
  converse(url, talk) {
    const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url } })
    const contents: Content[] = [{ role: 'user', parts: [{ text: talk.prompt }] }]
    const functionDeclarations = talk.tools.map(name => ({ name, parametersJsonSchema: schema }))
    return loop(talk, async results => {
      if (results.length > 0)
        contents.push({
          role: 'user',
          parts: results.map(({ call: { id, name }, text }) => ({
            functionResponse: { id, name, response: { output: text } },
          })),
        })
      const config = functionDeclarations.length > 0 ? { tools: [{ functionDeclarations }] } : {}
      const request = { model: 'gemini-3-pro', contents, config }
      const parts: Part[] = []
      if (talk.stream)
        for await (const chunk of await client.models.generateContentStream(request))
          parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []))
      else parts.push(...((await client.models.generateContent(request)).candidates?.[0]?.content?.parts ?? []))
      contents.push({ role: 'model', parts })
      const calls = parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.id ?? '', name: call.name ?? '', input: call.args }] : [],
      )
      return { text: parts.map(({ text }) => text ?? '').join(''), calls }
    })
  },
}
