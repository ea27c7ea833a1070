import { z } from 'zod';

/** A text that proves control of a website, once it is found there. */
export const websiteChallengeSchema = z
  .object({
    challenge: z
      .string()
      .meta({ description: 'The text.', examples: ['1795629600.LSy8Vw1vDP3Qz4mJ7hTn2kXc9RbGf5EaUo6WiYtKd0M'] }),
    expiresAt: z.string().meta({
      format: 'date-time',
      description: 'When the text expires, in UTC: after 24 hours.',
      examples: ['2026-11-25T18:00:00.000Z'],
    }),
  })
  .meta({ id: 'WebsiteChallenge', description: 'A text that proves control of a website, once it is found there.' });
