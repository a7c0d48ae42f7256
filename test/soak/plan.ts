import type { ScriptedReply, ScriptInput } from '../../src/strict/index.ts'
import type { Random } from '../laws/random.ts'
import { type AgentName, errands, isAgentName, type ToolName, toolNames } from './settings.ts'

/** Which tools a user wants to be called, step by step; those of a step are called at once. */
export type Plan = readonly (readonly (ToolName | AgentName)[])[]

/** Every tool at most once, so that the model can tell from its calls how far it is. */
export function randomPlan(random: Random): Plan {
  const names = random.shuffle(toolNames).slice(0, random.pick([0, 1, 1, 2, 2, 3, 4]))
  const steps: (ToolName | AgentName)[][] = []
  for (const name of names) {
    const last = steps.at(-1)
    if (last && random.chance(0.4)) last.push(name)
    else steps.push([name])
  }
  return steps
}

export const wordsOf = (plan: Plan, word: string): string =>
  `Do ${plan.map(step => step.join('+')).join(', then ') || 'nothing'}. ${word}`

/** The input that a request or a message is about last, also if it is that of an agent. */
export const taskOf = (asked: unknown): string | undefined =>
  [...JSON.stringify(asked).matchAll(/<in-(\d+)>|for (\d+)/g)].map(([, said, errand]) => said ?? errand).at(-1)

const [going, done] = ['I see to it', 'That is all that was to be done, and it is done as well as it can be']

/** Whether a model can have said this: the whole answer, or the beginning of it. */
export const isSaid = (text: string, isWhole: boolean): boolean =>
  [going, done].some(words => {
    const [beginning, number] = [`${words}, number `, /^\d+\.$/]
    const rest = text.slice(beginning.length)
    if (isWhole || rest) return text.startsWith(beginning) && (isWhole ? number : /^\d+\.?$/).test(rest)
    return beginning.startsWith(text)
  })

/** What the model says, with a number that no other answer has: the first calls of the plan that it has not made, else its last words. */
export function answer(
  { lastUser = '', turnCalls, provider, body }: ScriptInput,
  number: number,
): Exclude<ScriptedReply, string> {
  // Words that were said one after the other may stand in one message.
  const [, plan = ''] = [...lastUser.matchAll(/Do ([^.]*)\./g)].at(-1) ?? []
  const steps = plan
    .split(', then ')
    .map(step => step.split('+').filter(name => toolNames.some(known => known === name)))
  const left = steps.map(step => step.filter(name => !turnCalls.includes(name))).find(step => step.length > 0) ?? []
  const thinking = provider === 'anthropic' ? { thinking: 'Let me see what is to be done.' } : {}
  if (left.length === 0) return { ...thinking, text: `${done}, number ${number}.` }
  const itemOf = (name: string): string => (isAgentName(name) ? `${errands[name]} It is for ${taskOf(body)}.` : 'this')
  const calls = left.map(name => ({ name, input: { item: itemOf(name) } }))
  return { ...thinking, text: `${going}, number ${number}.`, calls }
}
