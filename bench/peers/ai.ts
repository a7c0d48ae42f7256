import { importPeer, type Subject, subject } from '../subject.ts'
import { decode, encode, type ModelMessage } from './model-messages.ts'

interface Module {
  generateText(options: { model: unknown; messages: ModelMessage[]; allowSystemInMessages: boolean }): Promise<unknown>
}

/** `generateText` validates the history on its way to the model. The model here takes the prompt and answers at once. */
export async function load(): Promise<Subject> {
  const { generateText } = await importPeer<Module>('ai')
  return subject<ModelMessage[]>('ai', 'generateText', {
    encode,
    async run(messages) {
      let prompt: ModelMessage[] = []
      const model = mockModel(seen => {
        prompt = seen
      })
      await generateText({ model, messages, allowSystemInMessages: true })
      return prompt
    },
    decode,
  })
}

const mockModel = (see: (prompt: ModelMessage[]) => void) => ({
  specificationVersion: 'v4',
  provider: 'bench',
  modelId: 'bench',
  supportedUrls: {},
  async doGenerate({ prompt }: { prompt: ModelMessage[] }) {
    see(prompt)
    return {
      content: [{ type: 'text', text: 'done' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    }
  },
})
