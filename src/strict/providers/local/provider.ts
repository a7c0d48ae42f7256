import { padded } from '../../answers/ids.ts'
import { wrappedFailures } from '../../failures/wrapped.ts'
import { pythonArguments } from '../../judge/python-arguments.ts'
import type { Validator } from '../../judge/validator.ts'
import type { Provider } from '../../provider.ts'
import { type Strictness, strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { mistralTokenizer } from '../mistral/judge.ts'
import { ollamaStrictness } from '../ollama/strictness.ts'
import { familyOf } from '../templates/families.ts'
import { validateGemmaTemplate } from '../templates/gemma.ts'
import { validateLlamaTemplate } from '../templates/llama.ts'
import { validateMistralTemplate } from '../templates/mistral.ts'
import { validateQwenTemplate } from '../templates/qwen.ts'
import { llamaCppRejection } from './llama-cpp-rejection.ts'
import { lmStudioRejection } from './lm-studio-rejection.ts'
import { vllmRejection } from './vllm-rejection.ts'

const thinks: Pick<Provider, 'chat'> = { chat: { thinking: 'reasoning_content' } }

/** Ids as the server makes them, but short ones for models whose template requires that. */
const issuing = (usual?: (count: number) => string): Pick<Provider, 'callId'> => ({
  callId: (_name, count, model) => (familyOf(model)?.id === 'mistral-old' ? padded(count, 9) : usual?.(count)),
})

/** The server itself rejects nothing; the chat template of the model does. */
const byTemplate: Validator = (chat, raw) => familyOf(raw.model)?.template(chat, raw) ?? []

const serving = (
  provider: Provider,
  rejection: Strictness['rejection'],
  validate = byTemplate,
  others: Parameters<typeof strict>[1] = {},
): Provider => strict(provider, { 'openai-chat': { validate, rejection }, ...others })

/** It treats two families differently: newer Mistral models have a tokenizer that checks, and gpt-oss needs no template. */
const byVllm: Validator = (chat, raw) => {
  const id = familyOf(raw.model)?.id
  if (id === 'mistral-new') return mistralTokenizer(chat, raw)
  return id === 'gpt-oss' ? [] : [...pythonArguments(chat, raw), ...byTemplate(chat, raw)]
}

const vllm = (id: string): Provider =>
  lenient(
    id,
    ['openai-chat', 'openai-responses', 'anthropic'],
    { ...thinks, ...issuing(count => `chatcmpl-tool-${padded(count, 32)}`) },
    {
      'openai-chat': wrappedFailures((message, code) => ({
        error: { message, type: 'BadRequestError', param: null, code },
      })),
    },
  )

/** A server with this template, for any model name. Ids are as short as the strictest template requires. */
const vllmWith = (id: string, template: Validator): Provider =>
  serving({ ...vllm(id), callId: (_name, count) => padded(count, 9) }, vllmRejection, (chat, raw) => [
    ...pythonArguments(chat, raw),
    ...template(chat, raw),
  ])

const llama = wrappedFailures((message, code) => ({ error: { code, message, type: 'server_error' } }))
const bare = wrappedFailures(error => ({ error }))

/** Servers on the user's own machine. Nothing is known of SGLang. */
export const local: Provider[] = [
  serving(vllm('vllm'), vllmRejection, byVllm),
  lenient('sglang', 'openai-chat', thinks),
  serving(
    lenient(
      'llama-cpp',
      ['openai-chat', 'openai-responses', 'anthropic'],
      { ...thinks, ...issuing(count => padded(count, 32)) },
      { 'openai-chat': llama },
    ),
    llamaCppRejection,
  ),
  serving(
    lenient('ollama', ['openai-chat', 'openai-responses', 'anthropic', 'ollama'], {
      chat: { thinking: 'reasoning' },
      ...issuing(count => `call_${padded(count, 8)}`),
    }),
    llamaCppRejection,
    byTemplate,
    { ollama: ollamaStrictness },
  ),
  serving(
    lenient(
      'lm-studio',
      ['openai-chat', 'openai-responses', 'anthropic'],
      { ...thinks, callId: (_name, count) => String(100000000 + count) },
      { 'openai-chat': bare },
    ),
    lmStudioRejection,
  ),
  serving(lenient('mlx', 'openai-chat', issuing(), { 'openai-chat': bare }), ({ message }) => ({
    status: 404,
    body: { error: message },
  })),
  vllmWith('qwen-template', validateQwenTemplate),
  vllmWith('gemma-template', validateGemmaTemplate),
  vllmWith('llama-template', validateLlamaTemplate),
  vllmWith('mistral-template', validateMistralTemplate),
]
