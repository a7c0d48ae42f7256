import { say, work } from '/work.js'

say(await work())
