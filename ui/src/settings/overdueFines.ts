// What is charged for loans returned late: by time, or by reminders.
import type { Field, Kind, Source } from './kinds'

const TEMPLATES: Source = { path: '/templates', key: 'templates', name: 'name' }
const BLOCKS: Source = {
  path: '/manual-block-templates',
  key: 'manualBlockTemplates',
  name: 'name',
}

const PER = [
  { value: 'minute', text: 'set.per.minute' },
  { value: 'hour', text: 'set.per.hour' },
  { value: 'day', text: 'set.per.day' },
  { value: 'week', text: 'set.per.week' },
  { value: 'month', text: 'set.per.month' },
  { value: 'year', text: 'set.per.year' },
] as const

const REMINDERS: Field = {
  name: 'reminderFeesPolicy.reminderSchedule',
  label: 'set.reminders',
  type: 'rows',
  add: 'set.addReminder',
  next: (rows) => rows.at(-1) ?? { interval: 1, timeUnitId: 'week', noticeFormat: 'Email' },
  fields: [
    { name: 'interval', label: 'set.reminder.after', type: 'number', needed: true },
    {
      name: 'timeUnitId',
      label: 'set.reminder.unit',
      type: 'select',
      choices: [
        { value: 'day', text: 'set.days' },
        { value: 'week', text: 'set.weeks' },
        { value: 'minute', text: 'set.minutes' },
      ],
      needed: true,
    },
    { name: 'reminderFee', label: 'set.reminder.fee', type: 'number', needed: true },
    {
      name: 'noticeFormat',
      label: 'set.reminder.how',
      type: 'select',
      choices: [
        { value: 'Email', text: 'set.reminder.mail' },
        { value: 'Print', text: 'set.reminder.print' },
        { value: 'None', text: 'set.reminder.none' },
      ],
      needed: true,
    },
    {
      name: 'noticeTemplateId',
      label: 'set.template',
      type: 'ref',
      of: TEMPLATES,
      needed: true,
    },
    {
      name: 'blockTemplateId',
      label: 'set.reminder.block',
      type: 'ref',
      of: BLOCKS,
      clears: true,
    },
  ],
}

export const OVERDUE_FINES: Kind = {
  id: 'overdue-fines',
  path: '/overdue-fines-policies',
  key: 'overdueFinePolicies',
  name: 'name',
  title: 'set.overdueFines',
  group: 'set.groupCirculation',
  permission: 'overdue-fines-policies.item',
  fields: [
    { name: 'name', label: 'set.name', type: 'text', needed: true },
    { name: 'description', label: 'set.description', type: 'lines' },
    { name: 'overdueFine.quantity', label: 'set.fine', type: 'number' },
    { name: 'overdueFine.intervalId', label: 'set.finePer', type: 'select', choices: PER },
    { name: 'maxOverdueFine', label: 'set.maxFine', type: 'number' },
    { name: 'countClosed', label: 'set.countClosed', type: 'check' },
    { name: 'forgiveOverdueFine', label: 'set.forgive', type: 'check' },
    {
      name: '$recalled',
      label: 'set.recalledItems',
      type: 'group',
      fields: [
        { name: 'overdueRecallFine.quantity', label: 'set.recallFine', type: 'number' },
        {
          name: 'overdueRecallFine.intervalId',
          label: 'set.recallFinePer',
          type: 'select',
          choices: PER,
        },
        { name: 'maxOverdueRecallFine', label: 'set.maxRecallFine', type: 'number' },
        { name: 'gracePeriodRecall', label: 'set.noGrace', type: 'check' },
      ],
    },
    REMINDERS,
    {
      name: '$reminders',
      label: 'set.reminderTerms',
      type: 'group',
      fields: [
        { name: 'reminderFeesPolicy.countClosed', label: 'set.reminder.closed', type: 'check' },
        {
          name: 'reminderFeesPolicy.allowRenewalOfItemsWithReminderFees',
          label: 'set.reminder.renews',
          type: 'check',
        },
        {
          name: 'reminderFeesPolicy.clearPatronBlockWhenPaid',
          label: 'set.reminder.unblocks',
          type: 'check',
        },
        {
          name: 'reminderFeesPolicy.ignoreGracePeriodRecall',
          label: 'set.reminder.noGraceRecall',
          type: 'check',
        },
        {
          name: 'reminderFeesPolicy.ignoreGracePeriodHolds',
          label: 'set.reminder.noGraceHold',
          type: 'check',
        },
      ],
    },
  ],
  columns: ['description'],
  fresh: { countClosed: false, forgiveOverdueFine: false, gracePeriodRecall: false },
}
