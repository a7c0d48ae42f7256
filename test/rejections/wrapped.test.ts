import { expect, test } from 'vitest'
import { healRejected } from '../../src/heal/rejections/heal-rejected.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { bodyOf, objections, requestOf, sharedCases } from './shared-cases.ts'

/** How gateways and clients pass on the body of an error. */
const wrappings: Record<string, (body: string) => unknown> = {
  'as it came': body => body,
  'in a message of LiteLLM': body => ({
    error: {
      message: `litellm.BadRequestError: XException - ${body}. Received Model Group=x`,
      param: null,
      code: '400',
    },
  }),
  'by OpenRouter': body => ({ error: { message: 'Provider returned error', code: 400, metadata: { raw: body } } }),
  'printed by Python': body => ({
    error: { message: `Error code: 400 - ${body.replaceAll('"', "'").replaceAll('null', 'None')}` },
  }),
  'by Copilot': body => ({ message: `Request Failed: 400 ${body}` }),
  'as an event': body => `event: error\ndata: ${JSON.stringify({ type: 'error', error: body })}\n\n`,
  'cut off': body => body.slice(0, -1),
}

const small = sharedCases.filter(({ request }) => JSON.stringify(request).length < 8_000)

test.each(Object.entries(wrappings))('[RJ32] every case is repaired %s', (_, wrap) => {
  const wrong: string[] = []
  for (const rejected of small) {
    const request = requestOf(rejected)
    const rejection = readRejection(rejected.refusal.status, wrap(bodyOf(rejected)), {
      request: () => JSON.stringify(request),
    })
    const { body } = rejection
      ? healRejected(request, rejection, { format: rejected.format as 'anthropic' })
      : { body: request }
    const found =
      rejected.class !== 'not-healable' ? objections(body, rejected) : body === request ? [] : ['it was changed']
    if (found.length > 0) wrong.push(`${rejected.id}, read as ${rejection?.id}: ${found}`)
  }
  expect(wrong).toEqual([])
})
