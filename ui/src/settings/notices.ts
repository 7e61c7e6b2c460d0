// The single notices of a notice policy: which template, at which event, before or after it, once or again and again.
import type { TextId } from '#/i18n/text'
import type { Field } from './kinds'
import { UNITS } from './units'

interface Moment {
  value: string
  text: TextId
}

const TEMPLATES = { path: '/templates', key: 'templates', name: 'name' } as const
const WHEN = 'sendOptions.sendWhen'
const HOW = 'sendOptions.sendHow'
const aside = { name: HOW, is: ['Before', 'After'] } as const
const again = { name: 'frequency', is: ['Recurring'] } as const
const UPON = { value: 'Upon At', text: 'set.notice.upon' } as const
const BEFORE = { value: 'Before', text: 'set.notice.before' } as const
const AFTER = { value: 'After', text: 'set.notice.after' } as const

/** `dated` are the events that are known beforehand, or that a notice may follow later. */
function notices(
  name: string,
  label: TextId,
  moments: readonly Moment[],
  dated: readonly string[],
  ways: readonly Moment[],
): Field {
  return {
    name,
    label,
    type: 'rows',
    add: 'set.addNotice',
    next: () => ({ format: 'Email', realTime: false }),
    fields: [
      { name: 'templateId', label: 'set.template', type: 'ref', of: TEMPLATES, needed: true },
      { name: WHEN, label: 'set.notice.at', type: 'select', choices: moments, needed: true },
      {
        name: HOW,
        label: 'set.notice.how',
        type: 'select',
        choices: ways,
        needed: true,
        when: { name: WHEN, is: dated },
      },
      {
        name: 'sendOptions.sendBy.duration',
        label: 'set.notice.distance',
        type: 'number',
        needed: true,
        when: aside,
      },
      {
        name: 'sendOptions.sendBy.intervalId',
        label: 'set.notice.unit',
        type: 'select',
        choices: UNITS,
        needed: true,
        when: aside,
      },
      {
        name: 'frequency',
        label: 'set.notice.often',
        type: 'select',
        choices: [
          { value: 'One time', text: 'set.notice.once' },
          { value: 'Recurring', text: 'set.notice.again' },
        ],
        needed: true,
        when: aside,
      },
      {
        name: 'sendOptions.sendEvery.duration',
        label: 'set.notice.every',
        type: 'number',
        needed: true,
        when: again,
      },
      {
        name: 'sendOptions.sendEvery.intervalId',
        label: 'set.notice.everyUnit',
        type: 'select',
        choices: UNITS,
        needed: true,
        when: again,
      },
      { name: 'realTime', label: 'set.notice.realTime', type: 'check' },
    ],
  }
}

export const LOAN_NOTICES = notices(
  'loanNotices',
  'set.loanNotices',
  [
    { value: 'Check out', text: 'set.notice.checkOut' },
    { value: 'Check in', text: 'set.notice.checkIn' },
    { value: 'Renewed', text: 'set.notice.renewed' },
    { value: 'Due date', text: 'set.notice.due' },
    { value: 'Manual due date change', text: 'set.notice.dueChanged' },
    { value: 'Item recalled', text: 'set.notice.recalled' },
    { value: 'Aged to lost', text: 'set.notice.lost' },
  ],
  ['Due date', 'Aged to lost'],
  [BEFORE, UPON, AFTER],
)

export const REQUEST_NOTICES = notices(
  'requestNotices',
  'set.requestNotices',
  [
    { value: 'Hold request', text: 'set.notice.hold' },
    { value: 'Paging request', text: 'set.notice.page' },
    { value: 'Recall request', text: 'set.notice.recall' },
    { value: 'Available', text: 'set.notice.available' },
    { value: 'Request expiration', text: 'set.notice.requestEnds' },
    { value: 'Hold expiration', text: 'set.notice.shelfEnds' },
    { value: 'Request cancellation', text: 'set.notice.cancelled' },
  ],
  ['Request expiration', 'Hold expiration'],
  [BEFORE, UPON, AFTER],
)

export const FEE_NOTICES = notices(
  'feeFineNotices',
  'set.feeNotices',
  [
    { value: 'Overdue fine returned', text: 'set.notice.fineReturned' },
    { value: 'Overdue fine renewed', text: 'set.notice.fineRenewed' },
    { value: 'Aged to lost - fine charged', text: 'set.notice.lostCharged' },
    { value: 'Aged to lost & item returned - fine adjusted', text: 'set.notice.lostReturned' },
    { value: 'Aged to lost & item replaced - fine adjusted', text: 'set.notice.lostReplaced' },
  ],
  ['Overdue fine returned', 'Overdue fine renewed', 'Aged to lost - fine charged'],
  [UPON, AFTER],
)
