import { z } from 'zod';
import { doc, timeDoc } from './doc.ts';
import { text } from './new-agent.ts';
import { describeInvalidAgent } from './unknown-fields.ts';
import { MAX_REPORT_LENGTH, reportReasonOptions } from './report-fields.ts';
import { agentRequestSchema } from './requests.ts';

const reasons = reportReasonOptions.map(({ value }) => value);
const reasonSchema = z.enum(reasons, { error: `Reason must be one of ${reasons.join(', ')}` });

/** A problem with an agent that somebody reports to the operator. A blank text is null. */
export const newReportSchema = z.strictObject(
  {
    ...agentRequestSchema.shape,
    reason: reasonSchema,
    text: z
      .preprocess(
        (value: string | null) => (typeof value === 'string' && value.trim() === '' ? null : value),
        z.nullable(text({ label: 'Text', bounds: { max: MAX_REPORT_LENGTH } })),
      )
      .default(null),
  },
  { error: describeInvalidAgent },
);

export const reportSchema = z
  .object({
    reason: reasonSchema.meta(doc('What is wrong with the agent.', 'misleading')),
    text: z.string().nullable().meta(doc('Details for the operator.', 'The website belongs to another company.')),
    createdAt: z.string().meta(timeDoc('The time of the report in UTC.')),
  })
  .meta({ id: 'Report', description: 'A reported problem with an agent.' });

export type Report = z.infer<typeof reportSchema>;
