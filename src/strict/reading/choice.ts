/** Whether a request lets the model call tools, and which. */
export interface Choice {
  /** False if the request forbids calls. */
  mayCall: boolean
  /** The request insists on a call. */
  mustCall?: boolean
  /** The only tools that may be called, where the request names some. */
  only?: string[]
}

export const free: Choice = { mayCall: true }
export const forbidden: Choice = { mayCall: false }
export const forced: Choice = { mayCall: true, mustCall: true }

/** The one tool that has to be called; what is no name leaves the choice to the model. */
export const chosen = (name: unknown): Choice => (typeof name === 'string' ? { ...forced, only: [name] } : free)

/** Some of the tools, of which the model may choose, or has to. */
export const narrowed = (names: unknown[], mustCall: boolean): Choice => ({
  mayCall: true,
  mustCall,
  only: names.filter(name => typeof name === 'string'),
})
