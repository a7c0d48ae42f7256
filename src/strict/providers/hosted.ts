import { cohereFailure } from '../failures/cohere.ts'
import { wrapped } from '../failures/wrapped.ts'
import { cohere } from '../judge/providers/cohere.ts'
import { cohereV1 } from '../judge/providers/cohere-v1.ts'
import { deepseek as deepseekJudge } from '../judge/providers/deepseek.ts'
import { fireworks } from '../judge/providers/fireworks.ts'
import { glm } from '../judge/providers/glm.ts'
import { groq } from '../judge/providers/groq.ts'
import { minimax as minimaxJudge } from '../judge/providers/minimax.ts'
import { moonshot } from '../judge/providers/moonshot.ts'
import { perplexity } from '../judge/providers/perplexity.ts'
import { qwen as qwenJudge } from '../judge/providers/qwen.ts'
import { xai } from '../judge/providers/xai.ts'
import { deepseekThinks, moonshotThinks } from '../judge/thinking.ts'
import type { ChatHabits, Provider } from '../provider.ts'
import { deepseekResponsesShape, deepseekShape } from '../shapes/deepseek.ts'
import { glmAnthropicShape, glmShape } from '../shapes/glm.ts'
import { cohereShape, fireworksShape, perplexityShape, plainShape, xaiShape } from '../shapes/hosted.ts'
import { minimaxShape } from '../shapes/minimax.ts'
import { qwenShape } from '../shapes/qwen.ts'
import { strict } from '../strictness.ts'
import { lenient } from './lenient.ts'
import { openrouterStrictness, openrouterThinks } from './openrouter.ts'

const thinks = (more: ChatHabits = {}): Pick<Provider, 'chat'> => ({ chat: { thinking: 'reasoning_content', ...more } })

const plain = wrapped(message => ({ error: { message, type: 'invalid_request_error' } }))

const deepseek = wrapped(message => ({
  error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
}))

const minimax = wrapped((message, status) => ({
  type: 'error',
  error: { type: 'bad_request_error', message, http_code: String(status) },
  request_id: '',
}))

const qwen = wrapped(message => ({
  error: { code: 'invalid_parameter_error', param: null, message, type: 'invalid_request_error' },
  request_id: '',
}))

/** Hosts that speak other people's APIs, often more than one. What is not judged here, nobody has seen refused. */
export const hosted: Provider[] = [
  strict(
    lenient('deepseek', ['openai-chat', 'openai-responses', 'anthropic'], thinks({ mustThink: deepseekThinks }), {
      'openai-chat': deepseek,
      'openai-responses': deepseek,
    }),
    {
      'openai-chat': { validate: deepseekJudge, shape: deepseekShape },
      'openai-responses': { validate: deepseekJudge, shape: deepseekResponsesShape },
      anthropic: { validate: deepseekJudge, shape: deepseekShape },
    },
  ),
  strict(lenient('minimax', ['openai-chat', 'anthropic'], thinks(), { anthropic: minimax, 'openai-chat': minimax }), {
    'openai-chat': { validate: minimaxJudge, shape: minimaxShape },
    anthropic: { validate: minimaxJudge, shape: minimaxShape },
  }),
  strict(
    lenient(
      'moonshot',
      ['openai-chat', 'anthropic'],
      { ...thinks({ mustThink: moonshotThinks }), callId: (name, count) => `functions.${name}:${count - 1}` },
      { 'openai-chat': plain },
    ),
    { 'openai-chat': { validate: moonshot, shape: plainShape } },
  ),
  strict(lenient('qwen', ['openai-chat', 'openai-responses', 'anthropic'], thinks(), { 'openai-chat': qwen }), {
    'openai-chat': { validate: qwenJudge, shape: qwenShape },
  }),
  strict(
    lenient('glm', ['openai-chat', 'anthropic'], thinks(), {
      'openai-chat': wrapped((message, status) => ({ error: { code: String(status), message } })),
    }),
    {
      'openai-chat': { validate: glm, shape: glmShape },
      anthropic: { validate: glm, shape: glmAnthropicShape },
    },
  ),
  strict(
    lenient('xai', ['openai-chat', 'openai-responses'], thinks({ noText: '' }), {
      'openai-chat': wrapped(error => ({ code: 'Client specified an invalid argument', error })),
    }),
    { 'openai-chat': { validate: xai, shape: xaiShape } },
  ),
  strict(
    lenient('groq', ['openai-chat', 'openai-responses'], { chat: { thinking: 'reasoning' } }, { 'openai-chat': plain }),
    { 'openai-chat': { validate: groq, shape: plainShape } },
  ),
  strict(lenient('cohere', ['cohere-v2', 'cohere-v1', 'openai-chat'], {}, { 'openai-chat': cohereFailure }), {
    'cohere-v2': { validate: cohere, shape: cohereShape },
    'cohere-v1': { validate: cohereV1, shape: cohereShape },
    'openai-chat': { validate: cohere, shape: cohereShape },
  }),
  strict(
    lenient(
      'perplexity',
      'openai-chat',
      {},
      {
        'openai-chat': wrapped((message, code) => ({ error: { message, type: 'invalid_message', code } })),
      },
    ),
    { 'openai-chat': { validate: perplexity, shape: perplexityShape } },
  ),
  strict(lenient('fireworks', ['openai-chat', 'openai-responses', 'anthropic'], thinks(), { 'openai-chat': plain }), {
    'openai-chat': { validate: fireworks, shape: fireworksShape },
  }),
  lenient('together', 'openai-chat', { chat: { thinking: 'reasoning' } }),
  strict(
    lenient(
      'openrouter',
      ['openai-chat', 'openai-responses', 'anthropic'],
      { chat: { thinking: 'reasoning', mustThink: openrouterThinks } },
      {
        'openai-chat': wrapped((message, code) => ({ error: { message, code } })),
      },
    ),
    { 'openai-chat': openrouterStrictness },
  ),
]
