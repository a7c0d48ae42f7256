/** Whether a request lets the model call tools, and which. */
export interface ToolChoice {
  /** False if the request forbids calls. */
  mayCall: boolean
  /** The request requires a call. */
  mustCall?: boolean
  /** The only tools that may be called, if the request names some. */
  only?: string[]
}

export const free: ToolChoice = { mayCall: true }
export const forbidden: ToolChoice = { mayCall: false }
export const forced: ToolChoice = { mayCall: true, mustCall: true }

/** The one tool that must be called; with an invalid name the choice is left to the model. */
export const chosen = (name: unknown): ToolChoice => (typeof name === 'string' ? { ...forced, only: [name] } : free)

/** Some of the tools, of which the model may or must choose. */
export const narrowed = (names: unknown[], mustCall: boolean): ToolChoice => ({
  mayCall: true,
  mustCall,
  only: names.filter(name => typeof name === 'string'),
})
