"""topicrawl: focused web crawling."""
