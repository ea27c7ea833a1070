// A plain server with the same table, for `service`: Express and Drizzle on a SQLite file that is as durable.
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import { desc, eq, like, or } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import express from 'express';
import { z } from 'zod';
import { categoryIds } from '@agent-registry/contracts';

const agents = sqliteTable('agents', {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text().notNull(),
  category: text().notNull(),
  capabilities: text({ mode: 'json' }).$type<string[]>().notNull(),
  contactEmail: text().notNull(),
  website: text(),
  pricingModel: text().notNull(),
  apiAccess: text().notNull(),
  rating: real().notNull(),
  reviewCount: integer().notNull(),
  createdAt: text().notNull(),
});

const body = z.strictObject({
  name: z.string().trim().min(1).max(100),
  description: z.string().trim().min(1).max(2_000),
  category: z.enum(categoryIds),
  capabilities: z.array(z.string().trim().max(60)).max(30),
  contactEmail: z.email().max(254),
  website: z.url().max(2_048).nullish(),
  pricingModel: z.enum(['free', 'freemium', 'paid', 'enterprise']),
  apiAccess: z.enum(['yes', 'no', 'planned']),
});

const file = new Database(process.env.DATABASE_FILE);
file.pragma('journal_mode = WAL');
file.pragma('synchronous = FULL');
file.exec(`
  CREATE TABLE agents (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL, category TEXT NOT NULL,
    capabilities TEXT NOT NULL, contactEmail TEXT NOT NULL, website TEXT, pricingModel TEXT NOT NULL,
    apiAccess TEXT NOT NULL, rating REAL NOT NULL, reviewCount INTEGER NOT NULL, createdAt TEXT NOT NULL
  );
  CREATE INDEX agents_by_category ON agents (category, createdAt);
`);
const db = drizzle({ client: file });

const app = express();
app.use(express.json());
app.post('/api/agents', (request, response) => {
  const { success, data } = body.safeParse(request.body);
  if (!success) {
    response.sendStatus(400);
    return;
  }
  const agent = { ...data, id: randomUUID(), rating: 0, reviewCount: 0, createdAt: new Date().toISOString() };
  db.insert(agents).values(agent).run();
  response.status(201).location(`/api/agents/${agent.id}`).json(agent);
});
const newest = desc(agents.createdAt);
app.get('/api/agents', (_request, response) => void response.json(db.select().from(agents).orderBy(newest).all()));
app.get('/api/agents/category/:category', ({ params }, response) => {
  const isOfCategory = eq(agents.category, params.category);
  response.json(db.select().from(agents).where(isOfCategory).orderBy(newest).all());
});
app.get('/api/search', ({ query }, response) => {
  const text = `%${query['q'] as string}%`;
  const isMatch = or(like(agents.name, text), like(agents.description, text));
  response.json(db.select().from(agents).where(isMatch).orderBy(newest).limit(20).all());
});
app.get('/api/agents/:id', ({ params }, response) => {
  const agent = db.select().from(agents).where(eq(agents.id, params.id)).get();
  if (agent) response.json(agent);
  else response.sendStatus(404);
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`);
});
