import { wrappedFailures } from '../../failures/wrapped.ts'
import { deepseekThinks, moonshotThinks } from '../../judge/thinking.ts'
import type { ChatHabits, Provider } from '../../provider.ts'
import { strict } from '../../strictness.ts'
import { cohereFailure } from '../cohere/failures.ts'
import { validateCohere } from '../cohere/judge.ts'
import { validateCohereV1 } from '../cohere/judge-v1.ts'
import { validateDeepseek } from '../deepseek/judge.ts'
import { deepseekRejection, deepseekResponsesRejection } from '../deepseek/rejection.ts'
import { fireworks } from '../fireworks/judge.ts'
import { validateGlm } from '../glm/judge.ts'
import { glmAnthropicRejection, glmRejection } from '../glm/rejection.ts'
import { groq } from '../groq/judge.ts'
import { lenient } from '../lenient/provider.ts'
import { validateMinimax } from '../minimax/judge.ts'
import { minimaxRejection } from '../minimax/rejection.ts'
import { validateMoonshot } from '../moonshot/judge.ts'
import { openrouterStrictness, openrouterThinks } from '../openrouter/provider.ts'
import { perplexity } from '../perplexity/judge.ts'
import { validateQwen } from '../qwen/judge.ts'
import { qwenRejection } from '../qwen/rejection.ts'
import { validateXai } from '../xai/judge.ts'
import { cohereRejection, fireworksRejection, perplexityRejection, plainRejection, xaiRejection } from './rejection.ts'

const thinks = (more: ChatHabits = {}): Pick<Provider, 'chat'> => ({ chat: { thinking: 'reasoning_content', ...more } })

const plain = wrappedFailures(message => ({ error: { message, type: 'invalid_request_error' } }))

const deepseek = wrappedFailures(message => ({
  error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' },
}))

const minimax = wrappedFailures((message, status) => ({
  type: 'error',
  error: { type: 'bad_request_error', message, http_code: String(status) },
  request_id: '',
}))

const qwen = wrappedFailures(message => ({
  error: { code: 'invalid_parameter_error', param: null, message, type: 'invalid_request_error' },
  request_id: '',
}))

/** Hosts that implement APIs of other providers, often more than one. Rejections that are missing here were never seen. */
export const hosted: Provider[] = [
  strict(
    lenient('deepseek', ['openai-chat', 'openai-responses', 'anthropic'], thinks({ mustThink: deepseekThinks }), {
      'openai-chat': deepseek,
      'openai-responses': deepseek,
    }),
    {
      'openai-chat': { validate: validateDeepseek, rejection: deepseekRejection },
      'openai-responses': { validate: validateDeepseek, rejection: deepseekResponsesRejection },
      anthropic: { validate: validateDeepseek, rejection: deepseekRejection },
    },
  ),
  strict(lenient('minimax', ['openai-chat', 'anthropic'], thinks(), { anthropic: minimax, 'openai-chat': minimax }), {
    'openai-chat': { validate: validateMinimax, rejection: minimaxRejection },
    anthropic: { validate: validateMinimax, rejection: minimaxRejection },
  }),
  strict(
    lenient(
      'moonshot',
      ['openai-chat', 'anthropic'],
      { ...thinks({ mustThink: moonshotThinks }), callId: (name, count) => `functions.${name}:${count - 1}` },
      { 'openai-chat': plain },
    ),
    { 'openai-chat': { validate: validateMoonshot, rejection: plainRejection } },
  ),
  strict(lenient('qwen', ['openai-chat', 'openai-responses', 'anthropic'], thinks(), { 'openai-chat': qwen }), {
    'openai-chat': { validate: validateQwen, rejection: qwenRejection },
  }),
  strict(
    lenient('glm', ['openai-chat', 'anthropic'], thinks(), {
      'openai-chat': wrappedFailures((message, status) => ({ error: { code: String(status), message } })),
    }),
    {
      'openai-chat': { validate: validateGlm, rejection: glmRejection },
      anthropic: { validate: validateGlm, rejection: glmAnthropicRejection },
    },
  ),
  strict(
    lenient('xai', ['openai-chat', 'openai-responses'], thinks({ noText: '' }), {
      'openai-chat': wrappedFailures(error => ({ code: 'Client specified an invalid argument', error })),
    }),
    { 'openai-chat': { validate: validateXai, rejection: xaiRejection } },
  ),
  strict(
    lenient('groq', ['openai-chat', 'openai-responses'], { chat: { thinking: 'reasoning' } }, { 'openai-chat': plain }),
    { 'openai-chat': { validate: groq, rejection: plainRejection } },
  ),
  strict(lenient('cohere', ['cohere-v2', 'cohere-v1', 'openai-chat'], {}, { 'openai-chat': cohereFailure }), {
    'cohere-v2': { validate: validateCohere, rejection: cohereRejection },
    'cohere-v1': { validate: validateCohereV1, rejection: cohereRejection },
    'openai-chat': { validate: validateCohere, rejection: cohereRejection },
  }),
  strict(
    lenient(
      'perplexity',
      'openai-chat',
      {},
      {
        'openai-chat': wrappedFailures((message, code) => ({ error: { message, type: 'invalid_message', code } })),
      },
    ),
    { 'openai-chat': { validate: perplexity, rejection: perplexityRejection } },
  ),
  strict(lenient('fireworks', ['openai-chat', 'openai-responses', 'anthropic'], thinks(), { 'openai-chat': plain }), {
    'openai-chat': { validate: fireworks, rejection: fireworksRejection },
  }),
  lenient('together', 'openai-chat', { chat: { thinking: 'reasoning' } }),
  strict(
    lenient(
      'openrouter',
      ['openai-chat', 'openai-responses', 'anthropic'],
      { chat: { thinking: 'reasoning', mustThink: openrouterThinks } },
      {
        'openai-chat': wrappedFailures((message, code) => ({ error: { message, code } })),
      },
    ),
    { 'openai-chat': openrouterStrictness },
  ),
]
