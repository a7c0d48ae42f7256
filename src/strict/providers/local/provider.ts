import { padded } from '../../answers/ids.ts'
import { wrapped } from '../../failures/wrapped.ts'
import { pythonArguments } from '../../judge/python-arguments.ts'
import type { Validator } from '../../judge/validator.ts'
import type { Provider } from '../../provider.ts'
import { type Strictness, strict } from '../../strictness.ts'
import { lenient } from '../lenient/provider.ts'
import { mistralTokenizer } from '../mistral/judge.ts'
import { familyOf } from '../templates/families.ts'
import { gemmaTemplate } from '../templates/gemma.ts'
import { llamaTemplate } from '../templates/llama.ts'
import { mistralTemplate } from '../templates/mistral.ts'
import { qwenTemplate } from '../templates/qwen.ts'
import { llamaCppShape } from './llama-cpp-shape.ts'
import { lmStudioShape } from './lm-studio-shape.ts'
import { vllmShape } from './vllm-shape.ts'

const thinks: Pick<Provider, 'chat'> = { chat: { thinking: 'reasoning_content' } }

/** Ids as the server makes them, but short ones for those models whose template takes no others. */
const issuing = (usual?: (count: number) => string): Pick<Provider, 'callId'> => ({
  callId: (_name, count, model) => (familyOf(model)?.id === 'mistral-old' ? padded(count, 9) : usual?.(count)),
})

/** The server itself refuses nothing; the chat template of the model does. */
const byTemplate: Validator = (chat, wire) => familyOf(wire.model)?.template(chat, wire) ?? []

const serving = (provider: Provider, shape: Strictness['shape'], validate = byTemplate): Provider =>
  strict(provider, { 'openai-chat': { validate, shape } })

/** It has its own ways with two families: newer Mistrals bring a tokenizer that checks, and gpt-oss needs no template. */
const byVllm: Validator = (chat, wire) => {
  const id = familyOf(wire.model)?.id
  if (id === 'mistral-new') return mistralTokenizer(chat, wire)
  return id === 'gpt-oss' ? [] : [...pythonArguments(chat, wire), ...byTemplate(chat, wire)]
}

const vllm = (id: string): Provider =>
  lenient(
    id,
    ['openai-chat', 'openai-responses', 'anthropic'],
    { ...thinks, ...issuing(count => `chatcmpl-tool-${padded(count, 32)}`) },
    {
      'openai-chat': wrapped((message, code) => ({ error: { message, type: 'BadRequestError', param: null, code } })),
    },
  )

/** A server that has this template, whatever the name of the model. Ids are as short as the strictest of them wants. */
const vllmWith = (id: string, template: Validator): Provider =>
  serving({ ...vllm(id), callId: (_name, count) => padded(count, 9) }, vllmShape, (chat, wire) => [
    ...pythonArguments(chat, wire),
    ...template(chat, wire),
  ])

const llama = wrapped((message, code) => ({ error: { code, message, type: 'server_error' } }))
const bare = wrapped(error => ({ error }))

/** Servers on one's own machine. Of SGLang nothing is known. */
export const local: Provider[] = [
  serving(vllm('vllm'), vllmShape, byVllm),
  lenient('sglang', 'openai-chat', thinks),
  serving(
    lenient(
      'llama-cpp',
      ['openai-chat', 'openai-responses', 'anthropic'],
      { ...thinks, ...issuing(count => padded(count, 32)) },
      { 'openai-chat': llama },
    ),
    llamaCppShape,
  ),
  serving(
    lenient('ollama', ['openai-chat', 'openai-responses', 'anthropic'], {
      chat: { thinking: 'reasoning' },
      ...issuing(count => `call_${padded(count, 8)}`),
    }),
    llamaCppShape,
  ),
  serving(
    lenient(
      'lm-studio',
      ['openai-chat', 'openai-responses', 'anthropic'],
      { ...thinks, callId: (_name, count) => String(100000000 + count) },
      { 'openai-chat': bare },
    ),
    lmStudioShape,
  ),
  serving(lenient('mlx', 'openai-chat', issuing(), { 'openai-chat': bare }), ({ message }) => ({
    status: 404,
    body: { error: message },
  })),
  vllmWith('qwen-template', qwenTemplate),
  vllmWith('gemma-template', gemmaTemplate),
  vllmWith('llama-template', llamaTemplate),
  vllmWith('mistral-template', mistralTemplate),
]
