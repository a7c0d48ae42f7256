import { work } from '/work.js'

if (typeof document !== 'undefined') throw new Error('this is no worker')
postMessage(await work())
