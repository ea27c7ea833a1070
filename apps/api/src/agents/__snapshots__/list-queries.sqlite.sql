---- list, all

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1
order by "created_at" desc, "id" asc
limit ?
-- 200

select *
from "agents"
where "seq" in (?, ?, ?, ?)
-- 4, 3, 2, 1

---- list, every filter

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where ("category" = ? and "pricing_model" in (?, ?) and "api_access" in (?) and "website_key" = ?)
order by "created_at" desc, "id" asc
limit ?
-- "vision", "free", "paid", "no", "o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUc", 200

---- list, proved

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "is_proved" = 1
order by "created_at" desc, "id" asc
limit ?
-- 200

---- list, a way to connect

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where connects > 0 AND (connects & ?) > 0
order by "created_at" desc, "id" asc
limit ?
-- 9, 200

---- list, a filter without values

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 0
order by "created_at" desc, "id" asc
limit ?
-- 200

---- list, a capability and a day

select count(*) as "agents"
from (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ? limit ?) as "first"
-- "capability", "plain", 1001

select count(*) as "agents"
from (select "agents"."seq" from "agents" where "agents"."listed_at" >= ? limit ?) as "first"
-- "2026-01-02", 1001

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where ("agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?) and "agents"."seq" in (select "agents"."seq" from "agents" where "agents"."listed_at" >= ?))
order by "created_at" desc, "id" asc
limit ?
-- "capability", "plain", "2026-01-02", 200

---- list, by name

select "seq"
from "agents"
where 1 = 1
order by "sort_name" asc, "id" asc

select "seq", "id", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "seq" in (?, ?, ?, ?)
-- 4, 1, 2, 3

select *
from "agents"
where "seq" in (?, ?, ?, ?)
-- 4, 1, 2, 3

---- list, a category by rating

select "seq"
from "agents"
where "category" = ?
order by "rating" desc, "review_count" desc, "created_at" desc, "id" asc
-- "vision"

---- page, a capability of few agents

select count(*) as "agents"
from (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ? limit ?) as "first"
-- "capability", "plain", 1001

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?)
order by "created_at" desc, "id" asc
limit ?
-- "capability", "plain", 3

select count(*) as "agents"
from "text_keys"
where "kind" = ? and "key" = ?
-- "capability", "plain"

---- page, a capability in a category

select count(*) as "agents"
from (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ? limit ?) as "first"
-- "capability", "plain", 1001

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where ("category" = ? and "agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?))
order by "created_at" desc, "id" asc
limit ?
-- "vision", "capability", "plain", 3

select count(*) as "agents"
from "agents"
where ("category" = ? and "agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?))
-- "vision", "capability", "plain"

---- page, since a day

select count(*) as "agents"
from (select "agents"."seq" from "agents" where "agents"."listed_at" >= ? limit ?) as "first"
-- "2026-01-02", 1001

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "agents"."seq" in (select "agents"."seq" from "agents" where "agents"."listed_at" >= ?)
order by "sort_name" asc, "id" asc
limit ?
-- "2026-01-02", 3

select *
from "agents"
where "seq" in (?, ?)
-- 4, 1

select count(*) as "agents"
from "agents"
where "agents"."listed_at" >= ?
-- "2026-01-02"

---- page, first

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1
order by "created_at" desc, "id" asc
limit ?
-- 3

select *
from "agents"
where "seq" in (?, ?)
-- 4, 3

select coalesce(sum("agents"), 0) as "agents"
from "agent_counts"
where 1 = 1

---- page, after, by rating

select *
from "agents"
where 1 = 1 and "id" = ?
-- "aaaaaaaa-0000-4000-8000-000000000002"

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and (("rating", "review_count", "created_at") <= (?, ?, ?) and (("rating", "review_count", "created_at") < (?, ?, ?) or "id" > ?))
order by "rating" desc, "review_count" desc, "created_at" desc, "id" asc
limit ?
-- 0, 0, "2026-01-03T00:00:00.000Z", 0, 0, "2026-01-03T00:00:00.000Z", "aaaaaaaa-0000-4000-8000-000000000002", 3

select *
from "agents"
where "seq" in (?, ?)
-- 2, 1

select coalesce(sum("agents"), 0) as "agents"
from "agent_counts"
where 1 = 1

---- page, before, with its position

select *
from "agents"
where 1 = 1 and "id" = ?
-- "aaaaaaaa-0000-4000-8000-000000000000"

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and ("created_at" >= ? and ("created_at" > ? or "id" < ?))
order by "created_at" asc, "id" desc
limit ?
-- "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "aaaaaaaa-0000-4000-8000-000000000000", 3

select *
from "agents"
where "seq" in (?, ?)
-- 2, 3

select coalesce(sum("agents"), 0) as "agents"
from "agent_counts"
where 1 = 1

select count(*) as "agents"
from "agents"
where 1 = 1 and ("created_at" >= ? and ("created_at" > ? or "id" < ?))
-- "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "aaaaaaaa-0000-4000-8000-000000000000"

---- page, after an unknown agent

select *
from "agents"
where 1 = 1 and "id" = ?
-- "aaaaaaaa-0000-4000-8000-000000000009"

---- count, a website

select count(*) as "agents"
from "agents"
where "website_key" = ?
-- "o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUc"

---- count, filters

select coalesce(sum("agents"), 0) as "agents"
from "agent_counts"
where ("category" = ? and "pricing_model" in (?))
-- "vision", "free"

---- count, proved

select coalesce(sum("agents"), 0) as "agents"
from "agent_counts"
where ("category" = ? and "is_proved" = 1)
-- "vision"

---- countByCategory

select "category", sum("agents") as "agents"
from "agent_counts"
group by "category"
having sum("agents") > ?
-- 0

---- countFacets, a category

select "pricing_model", "api_access", "connects", "is_proved", sum("agents") as "agents"
from "agent_counts"
where "category" = ?
group by "pricing_model", "api_access", "connects", "is_proved"
having sum("agents") > ?
-- "vision", 0

---- countFacets, all

select "pricing_model", "api_access", "connects", "is_proved", sum("agents") as "agents"
from "agent_counts"
where 1 = 1
group by "pricing_model", "api_access", "connects", "is_proved"
having sum("agents") > ?
-- 0

---- countFacets, filters

select "pricing_model", "api_access", "connects", "is_proved", count(*) as "agents"
from "agents"
where "agents"."listed_at" >= ?
group by "pricing_model", "api_access", "connects", "is_proved"
-- "2026-01-02"

---- countFacets, a text without words

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

---- countFacets, a text

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

select "pricing_model", "api_access", "connects", "is_proved", count(*) as "agents"
from "agents"
where 1 = 1 and agents.seq IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ?)
group by "pricing_model", "api_access", "connects", "is_proved"
-- "\"otter\" *"

---- countFacets, a capability and a day

select "pricing_model", "api_access", "connects", "is_proved", count(*) as "agents"
from "agents"
where ("agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?) and "agents"."listed_at" >= ?)
group by "pricing_model", "api_access", "connects", "is_proved"
-- "capability", "plain", "2026-01-02"

---- countFacets, a text and a capability

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&otter" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

select "pricing_model", "api_access", "connects", "is_proved", count(*) as "agents"
from "agents"
where "agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?) and agents.seq IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ?)
group by "pricing_model", "api_access", "connects", "is_proved"
-- "capability", "plain", "\"otter\" *"

---- latest, a capability

select count(*) as "agents"
from (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ? limit ?) as "first"
-- "capability", "plain", 1001

select *
from "agents"
where "agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?)
order by "changed_at" desc, "seq" desc
limit ?
-- "capability", "plain", 2

---- latest, with other tools

select *, (SELECT max(at) FROM agent_changes WHERE agent_id = agents.id AND kind = 'tools') as "tools_at"
from "agents"
where 1 = 1 and agents.id IN (SELECT agent_id FROM agent_changes WHERE kind = 'tools')
order by "tools_at" desc, "seq" desc
limit ?
-- 2

---- suggest, two characters

select "agents"."id", "agents"."name", "agents"."category"
from (select "key", "seq" from "text_keys" where "kind" = ? and "key" >= ? and "key" < ? order by "key", "seq" limit ?) as "starts" inner join "agents" on "agents"."seq" = "starts"."seq"
order by CASE WHEN starts.key = ? THEN 0 WHEN website_checked_at IS NOT NULL THEN 1 ELSE 2 END, (select coalesce(sum("views"), 0) as "views" from "agent_views" where "agent_id" = "agents"."id" and "day" >= ?) desc, "agents"."seq"
limit ?
-- "name", "ot", "ot􏿿", 200, "ot", "2026-01-03", 10

WITH RECURSIVE keys (key, place) AS ( SELECT (SELECT min(key) FROM text_keys WHERE kind = 'capability' AND key >= ? AND key < ?), 1 UNION ALL SELECT (SELECT min(key) FROM text_keys WHERE kind = 'capability' AND key > keys.key AND key < ?), place + 1 FROM keys WHERE keys.key IS NOT NULL AND place < 200 ), counted AS ( SELECT key, ( SELECT count(*) FROM ( SELECT 1 FROM text_keys AS same WHERE kind = 'capability' AND same.key = keys.key LIMIT 50 ) AS first ) AS count FROM keys WHERE key IS NOT NULL ORDER BY count DESC, key LIMIT 3 )
SELECT counted.key, capabilities
FROM counted JOIN agents ON seq = (SELECT min(same.seq) FROM text_keys AS same WHERE kind = 'capability' AND same.key = counted.key)
ORDER BY count DESC, counted.key
-- "ot", "ot􏿿", "ot􏿿"

select "agents"."id", "agents"."name", "agents"."category"
from (select "key", "seq" from "text_keys" where "kind" = ? and "key" >= ? and "key" < ? order by "key", "seq" limit ?) as "starts" inner join "agents" on "agents"."seq" = "starts"."seq"
order by CASE WHEN starts.key = ? THEN 0 WHEN website_checked_at IS NOT NULL THEN 1 ELSE 2 END, (select coalesce(sum("views"), 0) as "views" from "agent_views" where "agent_id" = "agents"."id" and "day" >= ?) desc, "agents"."seq"
limit ?
-- "inner", "ot", "ot􏿿", 200, "ot", "2026-01-03", 10

---- suggest, more characters

select "agents"."id", "agents"."name", "agents"."category"
from (select "key", "seq" from "text_keys" where "kind" = ? and "key" >= ? and "key" < ? order by "key", "seq" limit ?) as "starts" inner join "agents" on "agents"."seq" = "starts"."seq"
order by CASE WHEN starts.key = ? THEN 0 WHEN website_checked_at IS NOT NULL THEN 1 ELSE 2 END, (select coalesce(sum("views"), 0) as "views" from "agent_views" where "agent_id" = "agents"."id" and "day" >= ?) desc, "agents"."seq"
limit ?
-- "name", "plain", "plain􏿿", 200, "plain", "2026-01-03", 10

WITH RECURSIVE keys (key, place) AS ( SELECT (SELECT min(key) FROM text_keys WHERE kind = 'capability' AND key >= ? AND key < ?), 1 UNION ALL SELECT (SELECT min(key) FROM text_keys WHERE kind = 'capability' AND key > keys.key AND key < ?), place + 1 FROM keys WHERE keys.key IS NOT NULL AND place < 200 ), counted AS ( SELECT key, ( SELECT count(*) FROM ( SELECT 1 FROM text_keys AS same WHERE kind = 'capability' AND same.key = keys.key LIMIT 50 ) AS first ) AS count FROM keys WHERE key IS NOT NULL ORDER BY count DESC, key LIMIT 3 )
SELECT counted.key, capabilities
FROM counted JOIN agents ON seq = (SELECT min(same.seq) FROM text_keys AS same WHERE kind = 'capability' AND same.key = counted.key)
ORDER BY count DESC, counted.key
-- "plain", "plain􏿿", "plain􏿿"

select "agents"."id", "agents"."name", "agents"."category"
from (select "key", "seq" from "text_keys" where "kind" = ? and "key" >= ? and "key" < ? order by "key", "seq" limit ?) as "starts" inner join "agents" on "agents"."seq" = "starts"."seq"
order by CASE WHEN starts.key = ? THEN 0 WHEN website_checked_at IS NOT NULL THEN 1 ELSE 2 END, (select coalesce(sum("views"), 0) as "views" from "agent_views" where "agent_id" = "agents"."id" and "day" >= ?) desc, "agents"."seq"
limit ?
-- "inner", "plain", "plain􏿿", 200, "plain", "2026-01-03", 10

---- search, no words

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

---- search, no words, by name

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and 1 = 0
order by "sort_name" asc, "id" asc
limit ?
-- 3

---- search, no match

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

---- search, no match, by name

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&qx" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and 1 = 0
order by "sort_name" asc, "id" asc
limit ?
-- 3

---- search, one match

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[1]'))

select "seq", "id", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "seq" in (?)
-- 1

select *
from "agents"
where "seq" in (?)
-- 1

---- search, one match, by name, with its position

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&heron" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[1]'))

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and agents.seq IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ?)
order by "sort_name" asc, "id" asc
limit ?
-- "\"heron\" *", 3

select *
from "agents"
where "seq" in (?)
-- 1

---- search, many matches

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

select "seq", "id", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "seq" in (?, ?)
-- 2, 3

select *
from "agents"
where "seq" in (?, ?)
-- 2, 3

---- search, many matches, a filter

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '("ott" * AND ("$pricing_free"))' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

select "seq", "id", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "seq" in (?, ?)
-- 2, 3

select *
from "agents"
where "seq" in (?, ?)
-- 2, 3

---- search, many matches, proved

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '("ott" * AND ("$proved_yes"))' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

---- search, many matches, a filter without values

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

---- search, many matches, a capability and a day

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer) AND EXISTS (SELECT 1 FROM text_keys WHERE kind = 'capability' AND key = 'plain' AND seq = agent_tokens.rowid) AND EXISTS (SELECT 1 FROM agents WHERE seq = agent_tokens.rowid AND listed_at >= '2026-01-02')
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

---- search, many matches, a capability, by name

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer) AND EXISTS (SELECT 1 FROM text_keys WHERE kind = 'capability' AND key = 'plain' AND seq = agent_tokens.rowid)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

select count(*) as "agents"
from (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ? limit ?) as "first"
-- "capability", "plain", 1001

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "agents"."seq" in (select "text_keys"."seq" from "text_keys" where "kind" = ? and "key" = ?) and agents.seq IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ?)
order by "sort_name" asc, "id" asc
limit ?
-- "capability", "plain", "\"ott\" *", 3

---- search, many matches, after

select "seq"
from "agents"
where "id" = ?
-- "aaaaaaaa-0000-4000-8000-000000000001"

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

select "seq", "id", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where "seq" in (?)
-- 3

select *
from "agents"
where "seq" in (?)
-- 3

---- search, many matches, before

select "seq"
from "agents"
where "id" = ?
-- "aaaaaaaa-0000-4000-8000-000000000001"

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

---- search, many matches, by name, after

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"%ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '"&ott" *' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2]'))

select *
from "agents"
where 1 = 1 and agents.seq IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ?) and "id" = ?
-- "\"ott\" *", "aaaaaaaa-0000-4000-8000-000000000001"

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and agents.seq IN (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ?) and ("sort_name" >= ? and ("sort_name" > ? or "id" > ?))
order by "sort_name" asc, "id" asc
limit ?
-- "\"ott\" *", "otter", "otter", "aaaaaaaa-0000-4000-8000-000000000001", 3

select *
from "agents"
where "seq" in (?)
-- 3

---- search, some of the words, by name

SELECT number, terms
FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
WHERE is_latest = 1 AND number > 4.0
ORDER BY number
LIMIT CAST(50.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '("heron" AND "otter" *)' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '("%heron" AND "%otter" *)' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(1500.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '("heron" OR "otter" *)' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT rowid
FROM agent_tokens
WHERE agent_tokens MATCH '("&heron" OR "&otter" *)' AND rowid < CAST(9.00719925474099e+15 AS integer)
ORDER BY rowid DESC
LIMIT CAST(600.0 AS integer)

SELECT seq, name, substr(capabilities, 1, 600.0) AS capabilities, coalesce(substr(example_tasks, 1, 400.0), '') AS tasks, substr(description, 1, 1000.0) AS description, website, website_checked_at AS "websiteCheckedAt"
FROM agents
WHERE seq IN (SELECT value FROM json_each('[3,2,1]'))

select "seq", "id", "created_at", "rating", "review_count", "sort_name", ( 1000 + 2 * (octet_length(name) + octet_length(description) + coalesce(octet_length(website), 0)) + octet_length(capabilities) + coalesce(octet_length(example_tasks), 0) + coalesce(octet_length(connections), 0) ) as "size"
from "agents"
where 1 = 1 and "seq" in (?, ?, ?)
order by "sort_name" asc, "id" asc
limit ?
-- 1, 2, 3, 3

select *
from "agents"
where "seq" in (?, ?)
-- 1, 2

---- months, all

select distinct substr(listed_at, 1, 7) as "month"
from "agents"
order by "month"

---- months, the last change of each part

select "changed_at", row_number() over(order by "listed_at", "seq") as "number"
from "agents"
where "listed_at" >= ? and "listed_at" < ?
-- "2026-01", "2026-01-32"

select (number - 1) / 2 as "part", max("changed_at") as "changed_at"
from (select "changed_at", row_number() over(order by "listed_at", "seq") as "number" from "agents" where "listed_at" >= ? and "listed_at" < ?) as "agents"
group by "part"
order by "part"
-- "2026-01", "2026-01-32"

---- months, a part

select "seq"
from "agents"
where "listed_at" >= ? and "listed_at" < ?
order by "listed_at", "seq"
limit ? offset ?
-- "2026-01", "2026-01-32", 1, 1

---- servers, first

select "agents"."id", "server_names"."name", "server_names"."number" as "name_number", "given_up_at", "given"."version", "listed_at" as "at", "seq" as "number", "changed_at"
from "agents" inner join "server_names" on "server_names"."agent_id" = "agents"."id" left join "server_documents" as "given" on "given"."agent_id" = "agents"."id" and "given"."is_latest" = 1 and agents.key_hash IS NULL AND (agents.website_checked_at IS NULL OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id))
where "given_up_at" is null and connects % 2 = 1
order by "agents"."listed_at", "agents"."seq"
limit ?
-- 3

---- servers, after, of a version

select "agents"."id", "server_names"."name", "server_names"."number" as "name_number", "given_up_at", "given"."version", "listed_at" as "at", "seq" as "number", "changed_at"
from "agents" inner join "server_names" on "server_names"."agent_id" = "agents"."id" left join "server_documents" as "given" on "given"."agent_id" = "agents"."id" and "given"."is_latest" = 1 and agents.key_hash IS NULL AND (agents.website_checked_at IS NULL OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id))
where "given_up_at" is null and connects % 2 = 1 and (agents.listed_at, agents.seq) > (?, ?)
order by "agents"."listed_at", "agents"."seq"
limit ?
-- "2026-01-02T00:00:00.000Z", 2, 2000

---- servers, by name

select "agents".*, "server_names"."name" as "served_name", "given"."name" as "given_name", "given"."version" as "given_version", "given"."document", "given"."basis", "given"."status", "given"."status_message", "given"."published_at", "given"."updated_at" as "source_updated_at"
from "agents" inner join "server_names" on "server_names"."agent_id" = "agents"."id" left join "server_documents" as "given" on "given"."agent_id" = "agents"."id" and "given"."is_latest" = 1 and agents.key_hash IS NULL AND (agents.website_checked_at IS NULL OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id))
where "given_up_at" is null and connects % 2 = 1 and lower(server_names.name) = ?
-- "example.registry/otter"

---- servers of agents

select "agents".*, "server_names"."name" as "served_name", "given"."name" as "given_name", "given"."version" as "given_version", "given"."document", "given"."basis", "given"."status", "given"."status_message", "given"."published_at", "given"."updated_at" as "source_updated_at"
from "agents" inner join "server_names" on "server_names"."agent_id" = "agents"."id" left join "server_documents" as "given" on "given"."agent_id" = "agents"."id" and "given"."is_latest" = 1 and agents.key_hash IS NULL AND (agents.website_checked_at IS NULL OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id))
where "given_up_at" is null and "agents"."id" in (?, ?)
-- "aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"

---- servers that changed since a time

select "agent_changes"."agent_id" as "id", "server_names"."name", "server_names"."number" as "name_number", "given_up_at", "given"."version", "agent_changes"."at", "agent_changes"."number", "changed_at"
from "agent_changes" inner join "server_names" on "server_names"."agent_id" = "agent_changes"."agent_id" left join "agents" on "agents"."id" = "agent_changes"."agent_id" left join "server_documents" as "given" on "given"."agent_id" = "agent_changes"."agent_id" and "given"."is_latest" = 1 and (agents.id IS NULL OR agents.key_hash IS NULL AND (agents.website_checked_at IS NULL OR EXISTS (SELECT 1 FROM publications WHERE publications.agent_id = agents.id)))
where "agent_changes"."is_latest" = 1 and "server_names"."name" is not null and "at" >= ? and ("given_up_at" is null or "given_up_at" >= ?)
order by "at", "agent_changes"."number", "server_names"."number"
limit ?
-- "2026-01-02T00:00:00.000Z", "2026-01-02T00:00:00.000Z", 3

