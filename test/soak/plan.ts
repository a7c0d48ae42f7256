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

/** What the model says: the first calls of the plan that it has not made, else its last words. */
export function answer({ lastUser = '', turnCalls, provider }: ScriptInput): Exclude<ScriptedReply, string> {
  // Words that were said one after the other may stand in one message.
  const [, plan = ''] = [...lastUser.matchAll(/Do ([^.]*)\./g)].at(-1) ?? []
  const steps = plan
    .split(', then ')
    .map(step => step.split('+').filter(name => toolNames.some(known => known === name)))
  const left = steps.map(step => step.filter(name => !turnCalls.includes(name))).find(step => step.length > 0) ?? []
  const thinking = provider === 'anthropic' ? { thinking: 'Let me see what is to be done.' } : {}
  if (left.length === 0)
    return { ...thinking, text: 'That is all that was to be done, and it is done as well as it can be.' }
  const calls = left.map(name => ({ name, input: { item: isAgentName(name) ? errands[name] : 'this' } }))
  return { ...thinking, text: 'I see to it.', calls }
}
